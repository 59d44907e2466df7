"""Sends bodies of lines as they are made."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(_context, value):
    return value if isinstance(value, bytes) else str(value).encode()
