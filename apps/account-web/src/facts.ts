import type { AccountWebFacts } from "@latchkey/contracts";
import { pageFacts, readPageFact } from "@latchkey/ui/page-facts.ts";

/** For the development server, which inserts no facts. */
const developmentFacts: AccountWebFacts = {
  branding: {
    name: pageFacts.appName,
    layout: "card",
    texts: {},
    links: [],
  },
  password: { lengthMin: 8, lengthMax: 128, takesSignUp: true, reset: "link" },
  identifierFirst: false,
  mailSignUp: { magicLink: true, emailOTP: true },
  verification: { atSignUp: [], onRequest: "link" },
  codeLengths: { email: 6, phone: 6, app: 6, mail: 6 },
  providers: [],
  fields: [],
  organizationFields: { organization: [], invitation: [], team: [] },
  trustsBrowsers: true,
  keySessions: false,
  lastLoginCookie: undefined,
  changes: { email: "link", deletion: true },
  organizationRoles: ["owner", "admin", "member"],
  ownerRole: "owner",
  organizationKeys: false,
  pictureOrigins: [],
};

/** The options of the installation that the gateway writes into the page. */
export const facts = (readPageFact("account") as AccountWebFacts | undefined) ?? developmentFacts;
