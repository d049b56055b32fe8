"""`python -m mcrc_adversarial`: the same as `mcrc-adversarial`."""

from mcrc_adversarial.cli import main

if __name__ == "__main__":
    main()
