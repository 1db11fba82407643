import { escapeHtml } from "@latchkey/contracts";
import type { ClaimedMethod, Language, MailedLinkQuestion } from "@latchkey/contracts";
import { formatMessage } from "@latchkey/i18n/message.ts";
import { pages } from "@latchkey/i18n/pages.ts";
import type { PageLook } from "./page-look.ts";
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
export const mailedLinkPolicy = (look: PageLook, targets: readonly string[] = []): string => {
  const places = new Set(targets.flatMap(placeOf));
  return look.policy(["'self'", ...places].join(" "));
};

/** Inserts an address. It is written from left to right in every language. */
const strong = (text: string) => `<strong dir="ltr">${escapeHtml(text)}</strong>`;

/** The look of the application that a page is about, and the language of its reader. */
export interface Reader {
  look: PageLook;
  language: Language;
}

const partOf = ({ act, signsIn = false, ends }: MailedLinkQuestion) => {
  if (act === "sign-in") return ends === undefined ? "signIn" : "signInClaim";
  if (act === "sign-in-elsewhere") return "signInElsewhere";
  if (act === "change-elsewhere") return "change";
  return act === "verify" && signsIn ? "verifyAndSignIn" : act;
};

interface Asking {
  title: string;
  text: string;
  /** Absent for a link that does not act in this browser. */
  button?: string;
  /** The way to make a link act in this browser. */
  remedy?: string;
}

const textsOf = (language: Language, question: MailedLinkQuestion): Asking => {
  const { change, signedOut, [partOf(question)]: part } = pages[language];
  if (question.act !== "change-elsewhere") return part;
  return { title: signedOut.title, text: change.text, remedy: signedOut.text };
};

const askingOf = ({ look, language }: Reader, question: MailedLinkQuestion): Asking => {
  const { email, newEmail = "" } = question;
  const asking = textsOf(language, question);
  return {
    ...asking,
    title: formatMessage(language, asking.title, { app: look.name }),
    text: formatMessage(language, asking.text, {
      app: escapeHtml(look.name),
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
  /** The path of the account web's page to sign in, if it is served. */
  signInPath?: string | undefined;
}

const hidden = (name: string, value: string) =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

/** Lists the sign-in methods that a sign-in deletes, and offers the password, with which nothing is deleted. */
const describeEnds = (
  { language }: Reader,
  ends: readonly ClaimedMethod[],
  signInPath?: string,
) => {
  const texts = pages[language].signInClaim;
  const items = ends.map((method) => `<li>${texts[method]}</li>`).join("\n");
  const hasPassword = ends.includes("password");
  const rest = hasPassword ? `${texts.rest} ${texts.choose}` : texts.rest;
  const offer = hasPassword ? `\n<p>${texts.instead}</p>` : "";
  const link =
    !hasPassword || signInPath === undefined
      ? ""
      : `\n<p><a href="${escapeHtml(signInPath)}">${texts.toSignIn}</a></p>`;
  return `\n<ul>\n${items}\n</ul>\n<p>${rest}</p>${offer}${link}`;
};

/** Describes how a link acts in this browser, and offers the sign-in that it needs. */
const describeRemedy = ({ language }: Reader, remedy: string, signInPath?: string) => {
  const { button } = pages[language].signIn;
  const link =
    signInPath === undefined ? "" : `\n<p><a href="${escapeHtml(signInPath)}">${button}</a></p>`;
  return `\n<p>${remedy}</p>${link}`;
};

/** Returns the confirmation page that a mailed link shows before it acts. */
export const questionPage = (
  reader: Reader,
  question: MailedLinkQuestion,
  { action, fields, signInPath }: LinkForm,
): string => {
  const { title, text, button, remedy } = askingOf(reader, question);
  const inputs = Object.entries(fields).map(([name, value]) => hidden(name, value));
  const { ends } = question;
  const isDanger = question.act === "delete" || ends !== undefined;
  const details = ends === undefined ? "" : describeEnds(reader, ends, signInPath);
  const form = `
<form method="post" action="${escapeHtml(action)}">
${inputs.join("\n")}
<button type="submit"${isDanger ? ' class="danger"' : ""}>${button}</button>
</form>`;
  return plainPage(
    reader,
    title,
    `<p>${text}</p>${details}${remedy === undefined ? "" : describeRemedy(reader, remedy, signInPath)}
<p>${pages[reader.language].ignore}</p>${button === undefined ? "" : form}`,
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
  const { title, text } = pages[reader.language][outcome];
  return plainPage(reader, title, `<p>${text}</p>`);
};
