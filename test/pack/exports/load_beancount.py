"""Prints for each journal the errors that bean-check would give, and the balance of each account, calculated by beancount in exact decimals."""

import decimal
import json
import sys

from beancount import loader
from beancount.core import realization
from beancount.ops import validation


def errors_of(path):
    _, errors, _ = loader.load_file(path, extra_validations=validation.HARDCORE_VALIDATIONS)
    return [error.message for error in errors]


def balances_of(path):
    with decimal.localcontext() as context:
        context.prec = 500
        entries, _, _ = loader.load_file(path)
        balances = {}
        for account in realization.iter_children(realization.realize(entries)):
            for position in account.balance:
                units = position.units
                balances[f"{account.account} {units.currency}"] = format(units.number, "f")
        return balances


print(json.dumps([{"errors": errors_of(path), "balances": balances_of(path)} for path in sys.argv[1:]]))
