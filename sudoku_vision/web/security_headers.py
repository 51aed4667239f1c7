"""Security headers: what every answer tells browsers not to do."""

from __future__ import annotations

_FEATURES = {
    "(self)": ("autoplay", "camera", "clipboard-read", "clipboard-write", "fullscreen", "screen-wake-lock"),
    "()": (
        "accelerometer",
        "display-capture",
        "encrypted-media",
        "geolocation",
        "gyroscope",
        "hid",
        "idle-detection",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "picture-in-picture",
        "publickey-credentials-get",
        "serial",
        "sync-xhr",
        "usb",
        "xr-spatial-tracking",
    ),
}
"""What a page may use of the browser: the camera, the clipboard, and what showing needs.

``web-share`` is not named: where a browser knows it, a page may share; where not, the name is an error in
its console.
"""

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{one}={who}" for who, names in _FEATURES.items() for one in names),
}


_SECURE = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Counts in secure contexts alone; elsewhere browsers call it an error in their consoles."""


def security_headers(host: str = "", *, secure: bool = True) -> dict[str, str]:
    """Return the headers of an answer; *host*, with its port, is whom the page may open a WebSocket to.

    Browsers of before 2022 don't count that as ``'self'``. A host that is not known must not be named.
    *secure*: whether a browser takes it for a secure context, by https or on this machine.
    """
    sockets = f" ws://{host} wss://{host}" if host else ""
    policy = (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        f"connect-src 'self'{sockets}",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
    return {"Content-Security-Policy": "; ".join(policy), **_ALWAYS, **(_SECURE if secure else {})}
