import type { FastifyInstance, FastifyReply } from "fastify";
import type { Deps } from "../deps.ts";
import { accountLanding } from "../pages/landing-page.ts";
import { faviconOf } from "./mount-look.ts";
import { readBuild } from "./read-build.ts";
import { sendAskedAgain } from "./web-file.ts";
import { webPath } from "./web-path.ts";
import type { Web } from "./webs.ts";

const robots = "User-agent: *\nDisallow: /\n";
const iconPath = /(?:^|\/)icon[^/]*\.svg$/;
const daySeconds = 24 * 60 * 60;

/**
 * Serves the paths of a site that browsers, password managers and search engines request on their own. Without the account web, only
 * `/robots.txt` exists. The routes bypass the pipeline: they are public and change nothing.
 */
export const mountRoot = async (
  app: FastifyInstance,
  { config }: Pick<Deps, "config">,
  web: Web,
): Promise<void> => {
  const { metricsName } = web;
  const options = { config: { metricsName }, exposeHeadRoute: true };
  app.get("/robots.txt", options, (_request, reply): FastifyReply =>
    reply
      .type("text/plain; charset=utf-8")
      .header("cache-control", `public, max-age=${daySeconds}`)
      .send(robots),
  );
  const place = webPath(web, config);
  if (!place || "hindrance" in place) return;
  const { path } = place;
  // The reference page may be served there.
  if (!app.hasRoute({ method: "GET", url: "/" }))
    app.get("/", options, (request, reply): FastifyReply => {
      const [, search = ""] = (request.raw.url ?? "").split(/\?(.*)/s);
      return reply.redirect(`${path}${accountLanding("/", search) ?? ""}`, 302);
    });
  // https://w3c.github.io/webappsec-change-password-url/
  app.get("/.well-known/change-password", options, (_request, reply): FastifyReply =>
    reply.redirect(`${path}/security`, 302),
  );
  const build = await readBuild(web.directory);
  const [, icon] = [...(build?.files ?? [])].find(([name]) => iconPath.test(name)) ?? [];
  const shownIcon = faviconOf(config) ?? icon;
  const sendIcon = shownIcon && sendAskedAgain(shownIcon);
  app.get("/favicon.ico", options, (request, reply) =>
    sendIcon ? sendIcon(request, reply) : reply.code(204).send(),
  );
};
