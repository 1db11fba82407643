import type { MailedLinkQuestion, MailLocale } from "@latchkey/contracts";
import { escapeHtml } from "@latchkey/service-kit";
import { fillText, linkTexts } from "./link-texts/link-texts.ts";
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

/** Inserts an address. It is written from left to right in every language. */
const strong = (text: string) => `<strong dir="ltr">${escapeHtml(text)}</strong>`;

/** The application that a page is about, and the language of its reader. */
export interface Reader {
  appName: string;
  locale: MailLocale;
}

const partOf = ({ act, signsIn = false }: MailedLinkQuestion) => {
  if (act === "sign-in") return "signIn";
  if (act === "sign-in-elsewhere") return "signInElsewhere";
  return act === "verify" && signsIn ? "verifyAndSignIn" : act;
};

interface Asking {
  title: string;
  text: string;
  /** Absent for a link that does not act in this browser. */
  button?: string;
}

const askingOf = ({ appName, locale }: Reader, question: MailedLinkQuestion): Asking => {
  const { email, newEmail = "" } = question;
  const asking: Asking = linkTexts[locale][partOf(question)];
  return {
    ...asking,
    title: fillText(asking.title, { app: appName }),
    text: fillText(asking.text, {
      app: escapeHtml(appName),
      email: strong(email),
      newEmail: strong(newEmail),
    }),
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
  reader: Reader,
  question: MailedLinkQuestion,
  { action, fields }: LinkForm,
): string => {
  const { title, text, button } = askingOf(reader, question);
  const inputs = Object.entries(fields).map(([name, value]) => hidden(name, value));
  const form = `
<form method="post" action="${escapeHtml(action)}">
${inputs.join("\n")}
<button type="submit"${question.act === "delete" ? ' class="danger"' : ""}>${button}</button>
</form>`;
  return plainPage(
    reader,
    title,
    `<p>${text}</p>
<p>${linkTexts[reader.locale].ignore}</p>${button === undefined ? "" : form}`,
  );
};

/** The outcome of following a mailed link. */
export type Outcome =
  | "verified"
  | "deleted"
  | "signedIn"
  | "undone"
  | "expired"
  | "signedOut"
  | "notGood";

/** Returns the page of an outcome, for a link without a redirect target. */
export const outcomePage = (reader: Reader, outcome: Outcome): string => {
  const { title, text } = linkTexts[reader.locale][outcome];
  return plainPage(reader, title, `<p>${text}</p>`);
};
