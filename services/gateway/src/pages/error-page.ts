import { escapeHtml } from "@latchkey/contracts";
import type { PageLook } from "./page-look.ts";
import { plainPage } from "./plain-page.ts";

/** Printable ASCII of the length that a code can have. */
const codeForm = /^[ -~]{1,128}$/;

/**
 * Returns the page of a failed sign-in if the application named none. Anyone can link to it with any text, so it shows only texts that can
 * be a code.
 */
export const errorPage = (look: PageLook, code: string, home = "/"): string =>
  plainPage(
    { look, tab: "Authentication Error" },
    "Something went wrong while signing you in",
    `<p>Error code: <code><span id="errorCode">${escapeHtml(codeForm.test(code) ? code : "Unknown")}</span></code></p>
<p><a id="returnLink" href="${escapeHtml(home)}">Return to Application</a></p>`,
  );
