/** All text forms of the user and password of an SMTP server. */
interface SmtpCredentials {
  user: string[];
  password: string[];
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const encode = (text: string): string => Buffer.from(text).toString("base64").replace(/=+$/, "");

/** Returns the credentials of an SMTP URL, as written there and as sent to the server. Empty if it has none. */
const credentialsOf = (smtpUrl: string): SmtpCredentials => {
  const { username, password } = new URL(smtpUrl);
  const [user, secret] = [decode(username), decode(password)];
  return {
    user: user ? [username, user, encode(user)] : [],
    password: secret ? [password, secret, encode(secret), encode(`\0${user}\0${secret}`)] : [],
  };
};

const lengthMax = 500;
/** A shared run of this length is not a coincidence. */
const runLength = 16;
/** A code is shorter. Fewer of its characters leave more guesses than a code allows. */
const codeRunLength = 4;

/** Secrets that a reason must not reveal. */
interface Withheld {
  link?: string | undefined;
  code?: string | undefined;
  /** Address of the SMTP server with its credentials. */
  smtpUrl?: string | undefined;
}

const runsOf = (part: string, length: number): string[] =>
  Array.from({ length: Math.max(0, part.length - length + 1) }, (_, start) =>
    part.slice(start, start + length),
  );

/**
 * Returns the parts that reveal a link: its host, its path, and every run that may belong to its secret. A server may quote the
 * link without its scheme, in part, or with line breaks.
 */
const tracesOf = (link: string): string[] => {
  const { host, pathname, href } = new URL(link.toLowerCase());
  const parts = href.slice(href.indexOf(host) + host.length).split(/[/?&=#]/u);
  return [
    host,
    ...(pathname.length > 1 ? [pathname] : []),
    ...parts.flatMap((part) => runsOf(part, runLength)),
  ];
};

const hideWords = (text: string, traces: readonly string[], label: string): string => {
  const isTold = (word: string) => traces.some((trace) => word.toLowerCase().includes(trace));
  const words = text.split(/(\s+)/u);
  return words.map((word) => (isTold(word) ? label : word)).join("");
};

/** Hides a code, also if it is grouped, and every word that contains a part of it. */
const hideCode = (text: string, code: string): string => {
  const label = "[code]";
  const characters = Array.from(
    code,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  const shown = text.replaceAll(new RegExp(characters.join(String.raw`[\s.-]*`), "giu"), label);
  return hideWords(shown, runsOf(code.toLowerCase(), codeRunLength), label);
};

const isOfWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

const hideAlone = (text: string, part: string, label: string): string =>
  text.replaceAll(part, (_part, at: number) =>
    isOfWord(text[at - 1]) || isOfWord(text[at + part.length]) ? part : label,
  );

/** Hides a password everywhere, even in part. Hides a user, which may be a common word, only as a whole word. */
const hideCredentials = (text: string, smtpUrl: string): string => {
  const { user, password } = credentialsOf(smtpUrl);
  const label = "[credentials]";
  const withoutPassword = password.reduce((rest, form) => rest.replaceAll(form, label), text);
  const traces = password.flatMap((form) => runsOf(form.toLowerCase(), runLength));
  const shown = hideWords(withoutPassword, traces, label);
  return user.reduce((rest, form) => hideAlone(rest, form, label), shown);
};

interface SmtpFailure {
  code?: unknown;
  /** The server's reply, if any. */
  response?: unknown;
  responseCode?: unknown;
}

/** Returns the error's text. Leaves out the server's text about a rejected sign-in, which may quote the credentials in any form. */
const textOf = (error: unknown): string => {
  const { code, response, responseCode } = (error ?? {}) as SmtpFailure;
  if (code !== "EAUTH" || !response) return error instanceof Error ? error.message : String(error);
  const status = typeof responseCode === "number" ? ` ${responseCode}` : "";
  return `the SMTP server rejected the sign-in: EAUTH${status}`;
};

/**
 * Returns the reason of a failure as text that the database accepts, without the link, the code and the SMTP
 * credentials. Readers of the reason may lack the right to read the mail.
 */
export const failureReason = (error: unknown, { link, code, smtpUrl }: Withheld): string => {
  // Keeps line feeds, because SMTP replies may have several lines.
  const text = textOf(error).replaceAll(/[^\P{Cc}\n]/gu, "\u{FFFD}");
  const withoutLink = link === undefined ? text : hideWords(text, tracesOf(link), "[link]");
  const withoutCode = code === undefined ? withoutLink : hideCode(withoutLink, code);
  const shown = smtpUrl === undefined ? withoutCode : hideCredentials(withoutCode, smtpUrl);
  return shown.slice(0, lengthMax).toWellFormed();
};
