import { basePathOf } from "@latchkey/service-kit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";
import { pageHeaders } from "../http/page-headers.ts";
import { adminPage, adminPagePolicy } from "./admin-page.ts";
import { adminWebPath } from "./admin-web-path.ts";
import { missingPage, missingPagePolicy } from "./missing-page.ts";
import { buildDirectory, readBuild, type WebBuild } from "./read-build.ts";
import { sendAskedAgain, sendForGood } from "./web-file.ts";

const metricsName = "adminWeb";

type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Files below this path have names that change with their bytes. */
const hashed = "assets/";

const sendPage =
  (send: Send): Send =>
  (request, reply) => {
    reply.headers(pageHeaders(adminPagePolicy));
    return send(request, reply);
  };

const sendMissing =
  (appName: string): Send =>
  (_request, reply) =>
    reply
      .code(503)
      .type("text/html; charset=utf-8")
      .headers(pageHeaders(missingPagePolicy))
      .send(missingPage(appName));

/** Returns the handler of a path below that of the web. */
const createAnswers = ({ files }: WebBuild, page: Send): ((path: string) => Send | undefined) => {
  const sends = new Map<string, Send>();
  for (const [path, file] of files)
    sends.set(path, path.startsWith(hashed) ? sendForGood(file) : sendAskedAgain(file));
  // A page in place of a missing script would be run as a script.
  return (path) => sends.get(path) ?? (path.startsWith(hashed) ? undefined : page);
};

type Needs = Pick<Deps, "config" | "logger">;

const featuresOf = ({ features }: Deps["config"]): string[] =>
  Object.entries(features).flatMap(([name, isOn]) => (isOn ? [name] : []));

const readAnswers = async (
  { config, logger }: Needs,
  { path, directory }: { path: string; directory: string },
): Promise<(below: string) => Send | undefined> => {
  const { appName } = config;
  const build = await readBuild(directory);
  if (!build) {
    logger.error("the admin web is not built: run npm run build, then start again");
    return () => sendMissing(appName);
  }
  const features = featuresOf(config);
  const page = adminPage(build.page, { appName, path, basePath: basePathOf(config), features });
  return createAnswers(build, sendPage(sendAskedAgain(page)));
};

/**
 * Serves the files of the admin web, and its page for every other path below its own, because the page handles unknown paths. The routes
 * bypass the pipeline: they serve fixed public bytes. All files are read once.
 */
export const mountAdminWeb = async (
  app: FastifyInstance,
  deps: Needs,
  directory = buildDirectory,
): Promise<void> => {
  const place = adminWebPath(deps.config);
  if (!place) return;
  if ("hindrance" in place) {
    deps.logger.error(`the admin web is not served: ${place.hindrance}`);
    return;
  }
  const { path } = place;
  const answerOf = await readAnswers(deps, { path, directory });
  const handler = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { "*": below = "" } = request.params as { "*"?: string };
    const send = answerOf(below);
    return send ? send(request, reply) : reply.code(404).send();
  };
  for (const url of [path, `${path}/*`])
    app.get(url, { config: { metricsName }, exposeHeadRoute: true }, handler);
};
