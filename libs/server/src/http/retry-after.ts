/** Returns the seconds of a Retry-After header. A date counts as no header, because clocks differ. */
export const readRetryAfter = (headers: Headers): number | undefined => {
  const seconds = /^\d{1,9}$/.exec(headers.get("retry-after") ?? "")?.[0];
  return seconds === undefined ? undefined : Number(seconds);
};
