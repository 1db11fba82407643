import { credentialsOf } from "./smtp-credentials.ts";

const lengthMax = 500;
/** So many letters in a row are no accident. */
const runLength = 16;

/** What a reason must not tell. */
export interface Withheld {
  link?: string | undefined;
  /** Of the server that the mail was for, with who signs in there. */
  smtpUrl?: string | undefined;
}

const runsOf = (part: string): string[] =>
  Array.from({ length: Math.max(0, part.length - runLength + 1) }, (_, start) =>
    part.slice(start, start + runLength),
  );

/**
 * What gives a link away: its host, its path, and any stretch of what could be the secret in it, since a server may quote it
 * without its scheme, in part, or broken into lines.
 */
const tracesOf = (link: string): string[] => {
  const { host, pathname, href } = new URL(link.toLowerCase());
  const parts = href.slice(href.indexOf(host) + host.length).split(/[/?&=#]/u);
  return [host, ...(pathname.length > 1 ? [pathname] : []), ...parts.flatMap(runsOf)];
};

const hideWords = (text: string, traces: readonly string[], label: string): string => {
  const isTold = (word: string) => traces.some((trace) => word.toLowerCase().includes(trace));
  const words = text.split(/(\s+)/u);
  return words.map((word) => (isTold(word) ? label : word)).join("");
};

const isOfWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

const hideAlone = (text: string, part: string, label: string): string =>
  text.replaceAll(part, (_part, at: number) =>
    isOfWord(text[at - 1]) || isOfWord(text[at + part.length]) ? part : label,
  );

/** A password is hidden wherever it stands, also in part; a user, which may be a common word, where it stands alone. */
const hideCredentials = (text: string, smtpUrl: string): string => {
  const { user, password } = credentialsOf(smtpUrl);
  const label = "[credentials]";
  const withoutPassword = password.reduce((rest, form) => rest.replaceAll(form, label), text);
  const traces = password.flatMap((form) => runsOf(form.toLowerCase()));
  const shown = hideWords(withoutPassword, traces, label);
  return user.reduce((rest, form) => hideAlone(rest, form, label), shown);
};

interface SmtpFailure {
  code?: unknown;
  /** What the server answered, where it did. */
  response?: unknown;
  responseCode?: unknown;
}

/** What the error says; of a refused sign-in no word of the server, which may quote what it was sent in any form. */
const textOf = (error: unknown): string => {
  const { code, response, responseCode } = (error ?? {}) as SmtpFailure;
  if (code !== "EAUTH" || !response) return error instanceof Error ? error.message : String(error);
  const status = typeof responseCode === "number" ? ` ${responseCode}` : "";
  return `the SMTP server refused our sign-in: EAUTH${status}`;
};

/**
 * Why a mail failed, in text that any store takes, without its link and without who signs in at the SMTP server: who sees the
 * reason need not be one who may open the mail.
 */
export const failureReason = (error: unknown, { link, smtpUrl }: Withheld): string => {
  // Lines may stay: a server answers in several.
  const text = textOf(error).replaceAll(/[^\P{Cc}\n]/gu, "\u{FFFD}");
  const withoutLink = link === undefined ? text : hideWords(text, tracesOf(link), "[link]");
  const shown = smtpUrl === undefined ? withoutLink : hideCredentials(withoutLink, smtpUrl);
  return shown.slice(0, lengthMax).toWellFormed();
};
