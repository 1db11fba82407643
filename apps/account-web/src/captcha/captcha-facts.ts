import type { AccountWebFacts } from "@latchkey/contracts";

/** What the gateway tells the page about the configured captcha. */
export type CaptchaFacts = NonNullable<AccountWebFacts["captcha"]>;
