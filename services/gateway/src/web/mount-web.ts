import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";
import { pageHeaders } from "../http/page-headers.ts";
import { missingPage, missingPagePolicy } from "./missing-page.ts";
import { createScreens } from "./create-screens.ts";
import { readBuild, type WebBuild } from "./read-build.ts";
import { sendAskedAgain, sendForGood } from "./web-file.ts";
import { webPage } from "./web-page.ts";
import { webPath } from "./web-path.ts";
import type { Web } from "./webs.ts";

type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Files below this path have names that change with their bytes. */
const hashed = "assets/";

const sendPage =
  (send: Send, policy: string): Send =>
  (request, reply) => {
    reply.headers(pageHeaders(policy));
    return send(request, reply);
  };

const sendMissing =
  (appName: string, web: Web): Send =>
  (_request, reply) =>
    reply
      .code(503)
      .type("text/html; charset=utf-8")
      .headers(pageHeaders(missingPagePolicy))
      .send(missingPage(appName, web.name));

/** Returns the handler of a path below that of the web. */
const createAnswers = (
  { files }: WebBuild,
  pageOf: (path: string) => Send,
): ((path: string) => Send | undefined) => {
  const sends = new Map<string, Send>();
  for (const [path, file] of files)
    sends.set(path, path.startsWith(hashed) ? sendForGood(file) : sendAskedAgain(file));
  // A page in place of a missing script would be run as a script.
  return (path) => sends.get(path) ?? (path.startsWith(hashed) ? undefined : pageOf(path));
};

type Needs = Pick<Deps, "config" | "logger">;

const readAnswers = async (
  { config, logger }: Needs,
  web: Web,
  path: string,
): Promise<(below: string) => Send | undefined> => {
  const build = await readBuild(web.directory);
  if (!build) {
    logger.error(`the ${web.name} web is not built: run npm run build, then start again`);
    return () => sendMissing(config.appName, web);
  }
  const policy = web.policyOf(config);
  const pageWith = (scripts: readonly string[]) =>
    sendPage(sendAskedAgain(webPage(build.page, web, { config, path, scripts })), policy);
  return createAnswers(build, createScreens(build.screens, pageWith));
};

/**
 * Serves the files of a web, and its page for every other path below its own, because the page handles unknown paths. The routes bypass
 * the pipeline: they serve fixed public bytes. All files are read once.
 */
export const mountWeb = async (app: FastifyInstance, deps: Needs, web: Web): Promise<void> => {
  const place = webPath(web, deps.config);
  if (!place) return;
  if ("hindrance" in place) {
    deps.logger.error(`the ${web.name} web is not served: ${place.hindrance}`);
    return;
  }
  const { path } = place;
  const answerOf = await readAnswers(deps, web, path);
  const handler = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { "*": below = "" } = request.params as { "*"?: string };
    const send = answerOf(below);
    return send ? send(request, reply) : reply.code(404).send();
  };
  const { metricsName } = web;
  for (const url of [path, `${path}/*`])
    app.get(url, { config: { metricsName }, exposeHeadRoute: true }, handler);
};
