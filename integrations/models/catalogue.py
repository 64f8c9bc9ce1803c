"""Lists the models that an OpenAI-compatible server offers (`GET /models`)."""

import httpx2

from triage.domain.errors import ModelDenied, ModelDown

OPENAI: str = "https://api.openai.com/v1"
LARGEST = 4 * 1024 * 1024


async def offered(url: str, key: str, seconds: float) -> tuple[str, ...]:
    """Return their names, sorted. Raises `ModelDown`, and `ModelDenied` for a refused key."""
    base = (url or OPENAI).rstrip("/")
    try:
        async with httpx2.AsyncClient(
            timeout=seconds, headers={"Authorization": f"Bearer {key}"} if key else {}
        ) as web:
            answer = await web.get(f"{base}/models")
            if answer.status_code in {401, 403}:
                raise ModelDenied("", f"{base} refuses the key ({answer.status_code})")
            answer.raise_for_status()
            return tuple(sorted(str(each["id"]) for each in answer.json()["data"]))
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, LookupError, TypeError) as e:
        raise ModelDown("", f"{base} lists no models ({type(e).__name__})") from e
