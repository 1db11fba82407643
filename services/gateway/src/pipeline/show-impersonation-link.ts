import { operations } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import type { Forwarded } from "../forward/forward.ts";
import { pageHeaders } from "../http/page-headers.ts";
import { impersonationPage, impersonationPagePolicy } from "../pages/impersonation-page.ts";
import type { Admitted } from "./admitted.ts";

/** Shows an admin why a link does not impersonate its user. Programs get the error unchanged. */
export const showImpersonationLink = (
  { config }: Pick<Deps, "config">,
  { inbound, operation }: Pick<Admitted, "inbound" | "operation">,
  answer: Forwarded,
): Forwarded => {
  const isRead = inbound.request.headers.accept?.includes("text/html") === true;
  const isRefused = answer.status >= 400 && answer.status < 500;
  if (operation.name !== operations.identity.adminOpenImpersonationLink.name) return answer;
  if (!isRead || !isRefused) return answer;
  const { code } = JSON.parse(answer.body.toString()) as { code?: string };
  return {
    ...answer,
    headers: {
      ...answer.headers,
      ...pageHeaders(impersonationPagePolicy),
      "content-type": "text/html; charset=utf-8",
    },
    body: Buffer.from(impersonationPage(config.appName, code)),
  };
};
