const key = "latchkey.lastReturn";
/** Longer than a redirect to an application and back, and shorter than a visit there. */
const loopMilliseconds = 15_000;

/** Only the page counts, because each attempt of an application has another query. */
const pageOf = (address: string): string => address.split(/[?#]/, 1)[0] ?? "";

/** Remembers in this tab that it is led to a page. */
export const rememberReturn = (
  address: string,
  store: Pick<Storage, "setItem"> = sessionStorage,
  now = Date.now(),
): void => store.setItem(key, `${pageOf(address)} ${now}`);

/**
 * Returns whether this tab was led to the same page moments ago. Such an application does not accept the session, and sends its users back by
 * itself.
 */
export const isRepeatedReturn = (
  address: string,
  store: Pick<Storage, "getItem"> = sessionStorage,
  now = Date.now(),
): boolean => {
  const [page, time] = (store.getItem(key) ?? "").split(" ");
  return page === pageOf(address) && now - Number(time) < loopMilliseconds;
};
