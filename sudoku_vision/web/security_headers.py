"""Security headers: what every answer tells browsers not to do."""

from __future__ import annotations

_OWN_FEATURES = "autoplay camera clipboard-read clipboard-write fullscreen screen-wake-lock"
_NO_FEATURES = (
    "accelerometer display-capture encrypted-media geolocation gyroscope hid idle-detection magnetometer "
    "microphone midi payment picture-in-picture publickey-credentials-get serial sync-xhr usb "
    "xr-spatial-tracking"
)
"""What a page may use of the browser: the camera, the clipboard, and what showing needs.

``web-share`` is not named: where a browser knows it, a page may share; where not, the name is an error in
its console.
"""

_ALWAYS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        [f"{name}=(self)" for name in _OWN_FEATURES.split()] + [f"{name}=()" for name in _NO_FEATURES.split()]
    ),
}


def security_headers(host: str = "", *, secure: bool = True) -> dict[str, str]:
    """Return the headers of an answer; *host*, with its port, is whom the page may open a WebSocket to.

    Browsers of before 2022 don't count that as ``'self'``. A host that is not known must not be named.
    *secure*: whether a browser takes it for a secure context, by https or on this machine; elsewhere one of
    the headers is an error in its console.
    """
    sockets = f" ws://{host} wss://{host}" if host else ""
    policy = (
        "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
        f"connect-src 'self'{sockets}; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )
    opener = {"Cross-Origin-Opener-Policy": "same-origin"} if secure else {}
    return {"Content-Security-Policy": policy, **_ALWAYS, **opener}
