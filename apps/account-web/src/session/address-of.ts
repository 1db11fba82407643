import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { stringifySearch } from "@latchkey/ui/search-text.ts";

/** Returns the address of a page of this web, for links in mails and returns from providers. */
export const addressOf = (path: string, search: Readonly<Record<string, unknown>> = {}): string =>
  `${pageFacts.webPath}${path}${stringifySearch(search)}`;
