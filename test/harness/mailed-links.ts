import { expect } from "vitest";
import type { BrowserLike } from "./browser-like.ts";
import { cookieHeader, storeCookies } from "./cookies.ts";
import { type RawResponse, sendRaw } from "./send-raw.ts";

/** Headers that a browser sends when its user navigates to a page. */
export const navigation = {
  accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
  "sec-fetch-site": "none",
};

/** Set-Cookie that identifies a browser without a session as the one that requested a link. */
export const linkCookie = expect.stringMatching(
  /^auth\.mailed_link=[^;]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/,
);

interface Following {
  /** The browser whose cookies are sent and stored. Without it, none are sent. */
  browser?: BrowserLike | undefined;
  /** Replace those of a navigation. */
  headers?: Record<string, string>;
  method?: string;
  body?: string;
}

/** Follows a link as a browser does, or with other headers. */
export const followLink = async (
  link: string,
  { browser, headers = navigation, method = "GET", body }: Following = {},
): Promise<RawResponse> => {
  const { origin, pathname, search } = new URL(link);
  const cookie = browser ? cookieHeader(browser.cookies) : "";
  const answer = await sendRaw(origin, {
    method,
    target: pathname + search,
    headers: { ...headers, ...(cookie ? { cookie } : {}) },
    ...(body === undefined ? {} : { body }),
  });
  if (browser) storeCookies(browser.cookies, answer.cookies);
  return answer;
};

const unescaped = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** Returns the target and the fields of a page's form. */
export const readForm = (html: string) => {
  const action = /<form method="post" action="([^"]*)">/.exec(html)?.[1] ?? "";
  const inputs = html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g);
  const fields = [...inputs].map(([, name = "", value = ""]) => [name, unescaped(value)]);
  return {
    action: unescaped(action),
    fields: Object.fromEntries(fields) as Record<string, string>,
  };
};

/** Presses the button of the page that a link returned. */
export const pressButton = (
  link: string,
  html: string,
  { browser, headers }: Pick<Following, "browser" | "headers"> = {},
): Promise<RawResponse> => {
  const { origin } = new URL(link);
  const { action, fields } = readForm(html);
  return followLink(origin + action, {
    browser,
    method: "POST",
    headers: {
      ...navigation,
      "sec-fetch-site": "same-origin",
      "content-type": "application/x-www-form-urlencoded",
      origin,
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  });
};
