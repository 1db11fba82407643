import { escapeHtml } from "@latchkey/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { basePathOf } from "@latchkey/service-kit/config";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Deps } from "../deps.ts";
import { pageHeaders } from "../http/page-headers.ts";
import { lookFor, type ServedLook } from "../pages/looks.ts";
import type { PageLook } from "../pages/page-look.ts";
import { plainPage } from "../pages/plain-page.ts";
import { readBuild, type Screen, type WebBuild } from "./read-build.ts";
import { sendAskedAgain, sendForGood, type WebFile } from "./web-file.ts";
import { webPath } from "./web-path.ts";
import type { Web } from "./webs.ts";
import type { GatewayConfig } from "../config.ts";

const metaOf = (name: string, content: string): string =>
  `<meta name="latchkey-${name}" content="${escapeHtml(content)}">`;

const featuresOf = ({ features }: GatewayConfig): string[] =>
  Object.entries(features).flatMap(([name, isOn]) => (isOn ? [name] : []));

const metasOf = (web: Web, { config, path, look }: Place): string =>
  [
    metaOf("web", web.name),
    metaOf("base-path", basePathOf(config)),
    metaOf("web-path", path),
    metaOf("app-name", config.appName),
    metaOf("features", featuresOf(config).join(" ")),
    ...Object.entries(web.factsOf(config, look)).map(([name, value]) =>
      metaOf(name, JSON.stringify(value)),
    ),
  ].join("");

const preloadOf = (url: string): string => `<link rel="modulepreload" crossorigin href="${url}">`;

/** The outline that the page of one screen shows until its scripts have arrived, with the path of its route. */
const screenOutline = /<!-- screen (\S+) -->([^]*?)<!-- \/screen -->/g;

/**
 * Returns the built page with the settings of the installation. URLs of its files are replaced by those under which they are served. It
 * preloads the scripts of a screen, but no operations: a preload cannot send the header that names the admin's own session.
 */
const fillPage = (built: string, web: Web, place: Place): string => {
  const { path, scripts, isSignedOut, look } = place;
  const icon = web.hasLooks ? look.look.favicon : undefined;
  return built
    .replaceAll(screenOutline, (_outline, named: string, content: string) =>
      named === place.route ? content : "",
    )
    .replaceAll(/<meta name="latchkey-[^>]*>\s*/g, "")
    .replaceAll(/(?<= (?:src|href)=")([^"]*)/g, (url: string) =>
      url.startsWith(web.builtPath) ? `${path}/${url.slice(web.builtPath.length)}` : url,
    )
    .replace(/<head>/, (head) => head + metasOf(web, place))
    .replace(/<link rel="icon"[^>]*>/, (link) =>
      icon === undefined ? link : `<link rel="icon" href="${escapeHtml(icon)}">`,
    )
    .replace(/<html(?=[ >])/, (start) => (isSignedOut ? `${start} data-front` : start))
    .replace(
      /<\/head>/,
      (end) =>
        `<link rel="stylesheet" href="${look.styles[web.name]}">` +
        scripts.map((name) => preloadOf(`${path}/${name}`)).join("") +
        end,
    );
};

interface Place extends Screen {
  config: GatewayConfig;
  look: ServedLook;
  /** The route of the screen that is asked for, such as `/sign-in`. Empty if it is unknown. */
  route: string;
  /** The path of the web, without a trailing slash. */
  path: string;
}

/** The page of a web as it is served. */
const webPage = (built: string, web: Web, place: Place): WebFile => {
  const bytes = Buffer.from(fillPage(built, web, place));
  return {
    contentType: "text/html; charset=utf-8",
    bytes,
    packed: { br: brotliCompressSync(bytes), gzip: gzipSync(bytes) },
  };
};

/** Returns the page that is shown if a web has not been built. */
const missingPage = (look: PageLook, web: string): string =>
  plainPage(
    { look },
    `The ${web} web is not built`,
    "<p>Run <code>npm run build</code> where Latchkey is installed, then start it again.</p>",
  );

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

const matches = (route: readonly string[], path: readonly string[]): boolean =>
  route.length === path.length &&
  route.every((segment, index) => segment.startsWith("$") || segment === path[index]);

/** Makes a page at its first request, because compressing the pages of all screens takes a tenth of a start. */
const makeOnce = <Page>(make: () => Page): (() => Page) => {
  let made: { page: Page } | undefined;
  return () => (made ??= { page: make() }).page;
};

/** The screen of an unknown path, which anyone sees. */
const unknownScreen: Screen = { scripts: [], isSignedOut: true };

/**
 * Makes the page of each screen once. Returns a function that finds the page of a path below that of the web, such as `users/17`. Unknown
 * paths have a page without scripts.
 */
export const createScreens = <Page>(
  screens: WebBuild["screens"],
  pageWith: (screen: Screen, route: string) => Page,
): ((below: string) => Page) => {
  const pages = Object.entries(screens).map(([route, screen]) => ({
    route: segmentsOf(route),
    page: makeOnce(() => pageWith(screen, route)),
  }));
  const other = makeOnce(() => pageWith(unknownScreen, ""));
  return (below) => {
    const path = segmentsOf(below);
    return (pages.find(({ route }) => matches(route, path))?.page ?? other)();
  };
};

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
  (look: PageLook, web: Web): Send =>
  (_request, reply) =>
    reply
      .code(503)
      .type("text/html; charset=utf-8")
      .headers(pageHeaders(look.policy("'none'")))
      .send(missingPage(look, web.name));

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
    return () => sendMissing(config.looks.own.page, web);
  }
  const screensOf = (look: ServedLook) =>
    createScreens(build.screens, (screen, route) => {
      const page = webPage(build.page, web, { config, look, path, route, ...screen });
      return sendPage(sendAskedAgain(page), web.policyOf(config, look));
    });
  const { own, applications } = config.looks;
  const ownScreens = screensOf(own);
  const screens = new Map(
    web.hasLooks ? [...applications.values()].map((look) => [look, screensOf(look)]) : [],
  );
  return createAnswers(build, (below) => (request, reply) => {
    const screensOfLook = screens.get(lookFor(config.looks, request)) ?? ownScreens;
    return screensOfLook(below)(request, reply);
  });
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
