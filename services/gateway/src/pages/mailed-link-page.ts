import type { MailedLinkQuestion } from "@latchkey/contracts";
import { escapeHtml } from "@latchkey/service-kit";
import { pagePolicy } from "./page-style.ts";
import { plainPage } from "./plain-page.ts";

const placeOf = (target: string): string[] => {
  const url = URL.parse(target);
  if (url === null) return [];
  return [url.origin === "null" ? url.protocol : url.origin];
};

/**
 * Allows the form to post to us and then redirect to one of the targets, because browsers also check redirects after a form. The targets
 * were checked before. Only parsed parts of them are inserted, so that they cannot end the directive.
 */
export const mailedLinkPolicy = (targets: readonly string[] = []): string => {
  const places = new Set(targets.flatMap(placeOf));
  return pagePolicy(["'self'", ...places].join(" "));
};

interface Asking {
  title: string;
  text: string;
  /** Undefined for a link that does not act in this browser. */
  button: string | undefined;
  isDanger?: boolean;
}

const strong = (text: string) => `<strong>${escapeHtml(text)}</strong>`;

const askingOf = (
  appName: string,
  { act, email, newEmail = "", signsIn = false }: MailedLinkQuestion,
): Asking => {
  const name = escapeHtml(appName);
  if (act === "change")
    return {
      title: "Confirm your new e-mail address",
      text: `Your account at ${name} will use ${strong(newEmail)} instead of ${strong(email)}.`,
      button: "Change address",
    };
  if (act === "delete")
    return {
      title: "Delete your account",
      text: `Your account ${strong(email)} at ${name} will be deleted permanently.`,
      button: "Delete account",
      isDanger: true,
    };
  if (act === "sign-in")
    return {
      title: `Sign in to ${appName}`,
      text: `This signs this browser in to the account of ${strong(email)} at ${name}.`,
      button: "Sign in",
    };
  if (act === "sign-in-elsewhere")
    return {
      title: "Open this link in the other browser",
      text: `This link signs in to the account of ${strong(email)} at ${name}. It works only in the browser in which you requested it.`,
      button: undefined,
    };
  if (act === "undo")
    return {
      title: "Undo the change of your e-mail address",
      text: `Your account at ${name} will use ${strong(email)} again instead of ${strong(newEmail)}. All devices will be signed out, and you will choose a new password.`,
      button: "Undo the change",
    };
  const more = signsIn ? " It also signs this browser in to that account." : "";
  return {
    title: "Verify your e-mail address",
    text: `This verifies ${strong(email)} for an account at ${name}.${more}`,
    button: signsIn ? "Verify and sign in" : "Verify address",
  };
};

/** The target and fields of a page's form. */
export interface LinkForm {
  action: string;
  /** The fields of the link. */
  fields: Readonly<Record<string, string>>;
}

const hidden = (name: string, value: string) =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

/** Returns the confirmation page that a mailed link shows before it acts. */
export const questionPage = (
  appName: string,
  question: MailedLinkQuestion,
  { action, fields }: LinkForm,
): string => {
  const { title, text, button, isDanger } = askingOf(appName, question);
  const inputs = Object.entries(fields).map(([name, value]) => hidden(name, value));
  const form = `
<form method="post" action="${escapeHtml(action)}">
${inputs.join("\n")}
<button type="submit"${isDanger ? ' class="danger"' : ""}>${button}</button>
</form>`;
  return plainPage(
    appName,
    title,
    `<p>${text}</p>
<p>If you did not ask for this, close this page: nothing has changed.</p>${button === undefined ? "" : form}`,
  );
};

const outcomes = {
  verified: ["Your e-mail address is verified", "You can close this page."],
  deleted: ["Your account is deleted", "You can close this page."],
  "signed in": ["You are signed in", "You can close this page."],
  undone: [
    "Your e-mail address is as before",
    "All devices are signed out. A mail with a link to choose a new password is on its way to you.",
  ],
  expired: ["This link has expired", "Ask for a new one in the application."],
  "signed out": [
    "Sign in first",
    "Sign in to your account in this browser, then open the link again.",
  ],
  "not good": [
    "This link cannot be used",
    "It was used already, was replaced, or is incomplete. Ask for a new one in the application.",
  ],
} as const;

/** The outcome of following a mailed link. */
export type Outcome = keyof typeof outcomes;

/** Returns the page of an outcome, for a link without a redirect target. */
export const outcomePage = (appName: string, outcome: Outcome): string => {
  const [title, text] = outcomes[outcome];
  return plainPage(appName, title, `<p>${text}</p>`);
};
