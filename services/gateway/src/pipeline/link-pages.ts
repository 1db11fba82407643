import {
  type Caller,
  isChallenge,
  type MailedLinkQuestion,
  operations,
  preferredLanguage,
} from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import type { Forwarded } from "../forward/forward.ts";
import { pageHeaders } from "../http/page-headers.ts";
import { compileTrustedOrigins } from "../origins/trusted-origin.ts";
import { callbackTarget } from "../origins/callback-target.ts";
import { lookFor } from "../pages/looks.ts";
import { impersonationPage } from "../pages/impersonation-page.ts";
import {
  mailedLinkPolicy,
  outcomePage,
  type Outcome,
  questionPage,
  type Reader,
} from "../pages/mailed-link-page.ts";
import { accountOutcome } from "../pages/account-outcome.ts";
import { webPath } from "../web/web-path.ts";
import { accountWeb } from "../web/webs.ts";
import type { Admitted } from "./admit.ts";
import { isCallback } from "./caller-of.ts";

const { adminOpenImpersonationLink } = operations.identity;

const asPage = (
  { look }: Pick<Reader, "look">,
  answer: Forwarded,
  { html, targets }: { html: string; targets?: readonly string[] },
): Forwarded => ({
  ...answer,
  headers: {
    ...answer.headers,
    ...pageHeaders(mailedLinkPolicy(look, targets)),
    "content-type": "text/html; charset=utf-8",
    // The form posts with its Origin, which no-referrer would hide. Other sites still receive no referrer.
    "referrer-policy": "same-origin",
  },
  body: Buffer.from(html),
});

const readerOf = ({ config }: Pick<Deps, "config">, { inbound }: Admitted): Reader => ({
  look: lookFor(config.looks, inbound.request).page,
  language: preferredLanguage(inbound.request.headers["accept-language"] ?? "") ?? "en",
});

const showQuestion = (
  deps: Pick<Deps, "config">,
  admitted: Admitted,
  { answer, question }: { answer: Forwarded; question: MailedLinkQuestion },
): Forwarded => {
  const { inbound, operation } = admitted;
  const query = inbound.request.query as Record<string, string | undefined>;
  const names = Object.keys(operation.query?.shape ?? {});
  const fields: Record<string, string> = {};
  for (const name of names) if (query[name] !== undefined) fields[name] = query[name];
  const action = new URL(inbound.baseUrl.url).pathname.replace(/\/$/, "") + operation.path;
  const redirects = (operation.redirects ?? []).map((name) => fields[name]);
  // A sign-in may continue on the page for second factors.
  const targets = [...redirects, deps.config.secondFactorPage].filter((one) => one !== undefined);
  const account = webPath(accountWeb, deps.config);
  const signInPath = account && !("hindrance" in account) ? `${account.path}/sign-in` : undefined;
  const form = { action, fields, signInPath };
  const reader = readerOf(deps, admitted);
  const html = questionPage(reader, question, form);
  return asPage(reader, answer, {
    html,
    targets: question.act.endsWith("elsewhere") ? [] : targets,
  });
};

/** The outcome of each operation that a mailed link opens. */
const outcomes: Readonly<Record<string, Outcome>> = {
  "/verify-email": "verified",
  "/delete-user/callback": "deleted",
  "/magic-link/verify": "signedIn",
  "/change-email/undo": "undone",
};

/** Converts the response of a program into an outcome for users. */
const outcomeOf = ({ operation }: Admitted, { status, body }: Forwarded): Outcome => {
  const outcome = outcomes[operation.path];
  if (status < 400 && outcome !== undefined) return outcome;
  const { code } = JSON.parse(body.toString()) as { code?: string };
  if (code === "TOKEN_EXPIRED") return "expired";
  if (code === "UNAUTHORIZED" || code === "FAILED_TO_GET_USER_INFO") return "signedOut";
  return "notGood";
};

const isJson = ({ headers }: Forwarded): boolean =>
  headers["content-type"]?.toString().startsWith("application/json") ?? false;

/** Returns the path, below that of the account web, of the page where a sign-in continues with its second factor. */
const challengePath = ({ status, body }: Forwarded): string | undefined => {
  const reply = JSON.parse(body.toString()) as object;
  if (status >= 400 || !isChallenge(reply)) return undefined;
  const { twoFactorMethods, twoFactorEnrolment } = reply;
  const query = new URLSearchParams({
    twoFactorRedirect: "true",
    twoFactorMethods: twoFactorMethods.join(","),
    ...(twoFactorEnrolment ? { twoFactorEnrolment: "true" } : {}),
  });
  return `/continue?${query.toString()}`;
};

/** Leads to the page of the account web for an outcome. Returns undefined without such a page. */
const leadToAccount = (
  { config }: Pick<Deps, "config">,
  { inbound, operation }: Admitted,
  { answer, outcome }: { answer: Forwarded; outcome: Outcome },
): Forwarded | undefined => {
  const account = webPath(accountWeb, config);
  const path = challengePath(answer) ?? accountOutcome(operation.path, outcome);
  if (!account || "hindrance" in account || path === undefined) return undefined;
  const { "content-type": _, ...headers } = answer.headers;
  return {
    ...answer,
    status: inbound.request.method === "GET" ? 302 : 303,
    headers: { ...headers, location: account.path + path },
    body: Buffer.alloc(0),
  };
};

/** Converts the response to a mailed link into a page if a user followed it. A program gets the response unchanged. */
const showMailedLink = (
  deps: Pick<Deps, "config">,
  { admitted, caller }: { admitted: Admitted; caller: Pick<Caller, "opening"> },
  answer: Forwarded,
): Forwarded => {
  const { question, status, body } = answer;
  if (question) return showQuestion(deps, admitted, { answer, question });
  const { accept } = admitted.inbound.request.headers;
  const isRead = caller.opening === "link" && accept?.includes("text/html") === true;
  const isOutcome = body.length > 0 && isJson(answer) && status < 500 && status !== 429;
  if (!isRead || !isOutcome) return answer;
  const outcome = outcomeOf(admitted, answer);
  const reader = readerOf(deps, admitted);
  return (
    leadToAccount(deps, admitted, { answer, outcome }) ??
    asPage(reader, answer, { html: outcomePage(reader, outcome) })
  );
};

/** Shows an admin why a link does not impersonate its user. Programs get the error unchanged. */
const showImpersonationLink = (
  { config }: Pick<Deps, "config">,
  { inbound, operation }: Pick<Admitted, "inbound" | "operation">,
  answer: Forwarded,
): Forwarded => {
  const isRead = inbound.request.headers.accept?.includes("text/html") === true;
  const isRefused = answer.status >= 400 && answer.status < 500;
  if (operation.name !== adminOpenImpersonationLink.name) return answer;
  if (!isRead || !isRefused) return answer;
  const { code } = JSON.parse(answer.body.toString()) as { code?: string };
  return {
    ...answer,
    headers: {
      ...answer.headers,
      ...pageHeaders(config.looks.own.page.policy("'none'")),
      "content-type": "text/html; charset=utf-8",
    },
    body: Buffer.from(impersonationPage(config.looks.own.page, code)),
  };
};

/** Checks the redirect of a callback or of an impersonation link once more. Any other response is unchanged. */
const recheckRedirect = (
  { config }: Pick<Deps, "config">,
  { inbound, operation, trust }: Admitted,
  answer: Forwarded,
): Forwarded => {
  const { location } = answer.headers;
  const isChecked = isCallback(operation) || operation.name === adminOpenImpersonationLink.name;
  if (!isChecked || typeof location !== "string") return answer;
  const { errorURL: errorUrl, previewOrigins, production } = config;
  const isPreview = compileTrustedOrigins(previewOrigins, { allowsHttp: !production });
  const places = { baseUrl: inbound.baseUrl.url, errorUrl, isPreview };
  const checked = callbackTarget(location, places, trust.isTrusted);
  return { ...answer, headers: { ...answer.headers, location: checked } };
};

/** Converts the response to a link that a user followed: a checked redirect, or a page in place of JSON. */
export const showLinkAnswer = (
  deps: Pick<Deps, "config">,
  { admitted, caller }: { admitted: Admitted; caller: Pick<Caller, "opening"> },
  answer: Forwarded,
): Forwarded => {
  const checked = recheckRedirect(deps, admitted, answer);
  return admitted.operation.mailedLink
    ? showMailedLink(deps, { admitted, caller }, checked)
    : showImpersonationLink(deps, admitted, checked);
};
