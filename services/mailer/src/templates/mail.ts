import { escapeHtml } from "@latchkey/service-kit";

/** A mail without its addresses. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  /** The link that the mail is about, if it is about one. */
  link?: string;
}

const nameLengthMax = 64;

/** Letters of any script, and what stands between them in names. */
const personShape = /^[\p{L}\p{M}\p{N} .'’-]+$/u;
const organizationShape = /^[\p{L}\p{M}\p{N} .,'’&()+-]+$/u;
/** A dot with more than a letter behind it may be read as a host name, digits in a row as a telephone number. */
const lure = /\.[^ .]{2}|\p{N}{4}|(?:\p{N}[ -]*){6}/u;

const safeName = (shape: RegExp, name: string): string | undefined => {
  const plain = name.trim();
  const isName = plain.length <= nameLengthMax && shape.test(plain) && !lure.test(plain);
  return isName ? plain : undefined;
};

/**
 * A name without blanks around it; undefined where it could carry a message or a link. It was typed by whoever signed up,
 * maybe with somebody else's address.
 */
export const safePersonName = (name: string): string | undefined => safeName(personShape, name);

/** The same for the name of an organization, which whoever made it sends to any address. */
export const safeOrganizationName = (name: string): string | undefined =>
  safeName(organizationShape, name);

const greeting = (name: string): string => {
  const safe = safePersonName(name);
  return safe === undefined ? "Hello," : `Hello ${safe},`;
};

const page = (body: readonly string[]): string => `<!doctype html>
<html lang="en"><body style="font-family:sans-serif;color:#1c2330;line-height:1.5">
${body.join("\n")}
</body></html>
`;

const small = (html: string): string => `<p style="font-size:.85em">${html}</p>`;

export interface NoticeMail {
  subject: string;
  name: string;
  /** What has happened, in a sentence. */
  lead: string;
  /** What to do when it was somebody else. */
  footer: string;
}

/** A mail that tells of something and asks for nothing. */
export const noticeMail = ({ subject, name, lead, footer }: NoticeMail): Mail => {
  const hello = greeting(name);
  return {
    subject,
    text: `${hello}\n\n${lead}\n\n${footer}\n`,
    html: page([hello, lead, footer].map((text) => `<p>${escapeHtml(text)}</p>`)),
  };
};

export interface LinkMail {
  subject: string;
  name: string;
  /** What the link does, in a sentence. */
  lead: string;
  /** The text of the link. */
  action: string;
  url: string;
  /** What to do when the mail was not asked for. */
  footer: string;
}

/** A mail around one link, as text and as HTML that needs no image and no style sheet. */
export const linkMail = (mail: LinkMail): Mail => {
  const hello = greeting(mail.name);
  const url = escapeHtml(mail.url);
  return {
    subject: mail.subject,
    link: mail.url,
    text: `${hello}\n\n${mail.lead}\n\n${mail.url}\n\n${mail.footer}\n`,
    html: page([
      `<p>${escapeHtml(hello)}</p>`,
      `<p>${escapeHtml(mail.lead)}</p>`,
      `<p><a href="${url}" style="display:inline-block;padding:.6em 1.2em;background:#1d4ed8;color:#fff;text-decoration:none;border-radius:.3em">${escapeHtml(mail.action)}</a></p>`,
      small(`If the button does not work, open this address:<br><a href="${url}">${url}</a>`),
      small(escapeHtml(mail.footer)),
    ]),
  };
};
