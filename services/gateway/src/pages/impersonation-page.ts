import type { ErrorCode } from "@latchkey/contracts";
import type { PageLook } from "./page-look.ts";
import { plainPage } from "./plain-page.ts";

const elsewhere = [
  "Open this link in the other browser",
  "It works only in the browser and the session in which you created it.",
] as const;

const outcomes: Partial<Record<ErrorCode, readonly [title: string, text: string]>> = {
  UNAUTHORIZED: elsewhere,
  IMPERSONATION_LINK_OF_ANOTHER_SESSION: elsewhere,
  FORBIDDEN: [
    "You are already signed in as another user",
    "End that impersonation in the admin console first, then create a new link.",
  ],
  IMPERSONATION_LINK_EXPIRED: [
    "This link has expired",
    "It works for one minute. Create a new link in the admin console.",
  ],
  IMPERSONATION_LINK_NOT_FOUND: [
    "This link cannot be used",
    "It was used already, or is incomplete. Create a new link in the admin console.",
  ],
  BANNED_USER: ["This user is banned", "A banned user cannot be impersonated."],
  USER_NOT_FOUND: ["This user no longer exists", "The user was deleted in the meantime."],
};

const refused = [
  "You cannot impersonate this user",
  "Your permissions or those of the user have changed in the meantime.",
] as const;

/** Returns the page of a link that did not start an impersonation. */
export const impersonationPage = (look: PageLook, code: string | undefined): string => {
  const [title, text] = outcomes[code as ErrorCode] ?? refused; // an unknown code has no entry
  return plainPage({ look }, title, `<p>${text}</p>`);
};
