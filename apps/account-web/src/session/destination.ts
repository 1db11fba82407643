import { pageFacts } from "@latchkey/ui/page-facts.ts";

const here = "http://here.invalid";

/**
 * Returns a path of this web, as the router knows it, or undefined if the address leads elsewhere. URL parsers drop tabs and line breaks, so
 * these could hide another host.
 */
export const ownPath = (address: string, webPath = pageFacts.webPath): string | undefined => {
  if (!/^\/[^\t\r\n]*$/.test(address) || !URL.canParse(address, here)) return undefined;
  const { origin, pathname, search } = new URL(address, here);
  if (origin !== here || !(pathname === webPath || pathname.startsWith(`${webPath}/`)))
    return undefined;
  const below = pathname.slice(webPath.length) || "/";
  // A path that begins with two slashes would be read as a host.
  return below.startsWith("//") ? undefined : `${below}${search}`;
};
