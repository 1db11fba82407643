import type { AccountWebFacts } from "@latchkey/contracts";

/** Sources of other origins, by the kind of content. */
export interface Sources {
  image?: readonly string[];
}

/** Returns the other origins from which the account web loads something: only that of the logo. */
export const accountWebSources = ({ branding: { logo } }: AccountWebFacts): Sources =>
  logo === undefined ? {} : { image: [new URL(logo).origin] };
