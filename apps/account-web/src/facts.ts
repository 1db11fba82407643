import type { AccountWebFacts } from "@latchkey/contracts";
import { pageFacts, readPageFact } from "@latchkey/ui/page-facts.ts";

/** For the development server, which inserts no facts. */
const developmentFacts: AccountWebFacts = {
  branding: { name: pageFacts.appName },
  password: { lengthMin: 8, lengthMax: 128, takesSignUp: true, takesReset: true },
  mailSignUp: { magicLink: true, emailOTP: true },
  verification: { atSignUp: [], onRequest: "link" },
  codeLengths: { email: 6, app: 6, mail: 6 },
  providers: [],
  fields: [],
  trustsBrowsers: true,
  keySessions: false,
  changes: { email: true, deletion: true },
  organizationRoles: ["owner", "admin", "member"],
  ownerRole: "owner",
  organizationKeys: false,
  pictureOrigins: [],
};

/** The options of the installation that the gateway writes into the page. */
export const facts = (readPageFact("account") as AccountWebFacts | undefined) ?? developmentFacts;
