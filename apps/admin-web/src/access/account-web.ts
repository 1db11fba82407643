import { pageFacts, readPageFact } from "@latchkey/ui/page-facts.ts";
import { stringifySearch } from "@latchkey/ui/search-text.ts";

// The gateway writes a path.
const accountPath = (readPageFact("account-path") ?? "/account") as string;

/** Returns the address of a page of the account web, where admins sign in and manage their own account. */
export const accountAddress = (path: string, search: Readonly<Record<string, string>> = {}) =>
  `${accountPath}${path}${stringifySearch(search)}`;

/**
 * Returns the address of a page of this web as a redirect may have it. The server accepts no escapes in the path of an own address, but in that
 * of a whole one.
 */
export const returnAddress = (href: string): string => {
  const address = `${pageFacts.webPath}${href}`;
  const [path = ""] = address.split("?", 1);
  return /[^\w\-.+/@]/.test(path) ? `${window.location.origin}${address}` : address;
};

/** Returns the address of the sign-in page, which leads to a page of this web. */
export const signInAddress = (href = "/", reason?: "ended" | "signed-out"): string =>
  accountAddress("/sign-in", { redirect_to: returnAddress(href), ...(reason && { reason }) });

/**
 * Opens the admin's own account beside this web, which stays as it is. During an impersonation the page would otherwise show the account of
 * the user.
 */
export const openAccount = (): void => {
  window.open(accountAddress("/security", { session: "own" }), "_blank", "noopener");
};
