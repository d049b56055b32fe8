"""Files of every kind with rows of datasets."""

import csv
import json

import pyarrow as pa
from pyarrow import parquet


def write(path, rows):
    cells = [
        {name: cell if isinstance(cell, str) else json.dumps(cell) for name, cell in one.items()}
        for one in rows
    ]
    if path.suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif path.suffix in {".csv", ".tsv"}:
        with path.open("w", encoding="utf-8", newline="") as file:
            delimiter = "\t" if path.suffix == ".tsv" else ","
            writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
            writer.writeheader()
            writer.writerows(cells)
    else:
        path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return path


def read(path):
    if path.suffix == ".parquet":
        return parquet.read_table(path).to_pylist()
    if path.suffix in {".csv", ".tsv"}:
        with path.open(encoding="utf-8", newline="") as file:
            delimiter = "\t" if path.suffix == ".tsv" else ","
            rows = list(csv.DictReader(file, delimiter=delimiter))
        lists = ("options", "shuffle_degree", "inserted", "attacked", "label")
        return [{k: json.loads(v) if k in lists else v for k, v in one.items()} for one in rows]
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
