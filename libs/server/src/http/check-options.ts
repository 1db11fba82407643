/** A timer with a longer delay fires at once. */
const timeoutMillisecondsMax = 2_147_483_647;

/** Returns the URL of a service without a slash at its end. Throws `TypeError`, whose message holds no part of the URL. */
export const checkUrl = (url: string | URL, option = "url"): string => {
  if (!URL.canParse(url)) throw new TypeError(`${option}: must be a URL`);
  const { protocol, username, password, search, hash, origin, pathname } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:")
    throw new TypeError(`${option}: must be an http or https URL`);
  if (username || password || search || hash)
    throw new TypeError(`${option}: must hold no user, password, query or fragment`);
  return origin + pathname.replace(/\/+$/, "");
};

/** Throws `TypeError` unless a timer supports the timeout. */
export const checkTimeout = (timeoutMilliseconds: number): number => {
  if (!(timeoutMilliseconds > 0 && timeoutMilliseconds <= timeoutMillisecondsMax))
    throw new TypeError(`timeoutMilliseconds: must be between 0 and ${timeoutMillisecondsMax}`);
  return timeoutMilliseconds;
};
