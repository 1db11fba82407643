import type { AccountWebFacts } from "@latchkey/contracts";

/** The configured captcha, as the gateway inserts it into the page. */
export type CaptchaFacts = NonNullable<AccountWebFacts["captcha"]>;
