import { createHash } from "node:crypto";
import {
  brandingOf,
  brandingSources,
  fileEnding,
  isAddress,
  type Look,
  lookOf,
  lookPath,
  type Options,
  pageStyle,
  type Themed,
  themedOf,
  tokenStyle,
} from "@latchkey/contracts";
import { basePathOf, type BrandingFile, type Settings } from "@latchkey/service-kit/config";
import type { FastifyRequest } from "fastify";
import { type PageLook, pageLook } from "./page-look.ts";

/** A look as it is served. */
export interface ServedLook {
  /** The address of the application whose look it is. Undefined for that of the installation. */
  application: string | undefined;
  look: Look;
  page: PageLook;
  /** The addresses of the style sheets of the two webs. */
  styles: { account: string; admin: string };
  /** The addresses of its images and fonts that are files, by option such as `logo.dark`. */
  files: Readonly<Record<string, string>>;
}

/** The looks of an installation, and the files that they load. */
export interface Looks {
  own: ServedLook;
  /** The looks of single applications, by their addresses. */
  applications: ReadonlyMap<string, ServedLook>;
  /** By name, which contains a hash of the contents. */
  files: ReadonlyMap<string, BrandingFile>;
  /** The logo in mails, if the gateway serves it. Its address stays, because the mailer does not read the file. */
  mailLogo: Themed<BrandingFile | undefined>;
  /** The icon, if it is a file. */
  favicon: BrandingFile | undefined;
}

const nameOf = ({ bytes }: BrandingFile, ending: string): string =>
  `${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}${ending}`;

const styleFile = (text: string): BrandingFile => ({
  contentType: "text/css; charset=utf-8",
  bytes: Buffer.from(text),
});

/** Returns all looks of an installation from its options and files. */
export const createLooks = ({
  options,
  brandingFiles,
}: Pick<Settings, "brandingFiles"> & { options: Options }): Looks => {
  const { branding, appName } = options;
  const basePath = basePathOf(options);
  const files = new Map<string, BrandingFile>();
  const serve = (file: BrandingFile, ending: string): string => {
    const name = nameOf(file, ending);
    files.set(name, file);
    return lookPath(basePath, name);
  };
  const addresses = new Map<string, string>();
  for (const [source, file] of brandingFiles)
    if (fileEnding(source) !== ".css") addresses.set(source, serve(file, fileEnding(source)));
  const addressOf = (source: string): string => addresses.get(source) ?? source;
  const served = (application?: string): ServedLook => {
    const one = brandingOf(branding, application);
    const look = lookOf(one, { appName, addressOf });
    const own = (one.css && brandingFiles.get(one.css)?.bytes.toString("utf8")) || "";
    return {
      application,
      look,
      page: pageLook(look, own),
      styles: {
        account: serve(styleFile(pageStyle(look) + own), ".css"),
        admin: serve(styleFile(tokenStyle(look)), ".css"),
      },
      files: Object.fromEntries(
        Object.entries(brandingSources(one)).flatMap(([option, source]) => {
          const address = addresses.get(source);
          return address === undefined ? [] : [[option, address]];
        }),
      ),
    };
  };
  const logos = themedOf(branding.logo);
  const fileOf = (source: string | undefined) =>
    source === undefined || isAddress(source) ? undefined : brandingFiles.get(source);
  return {
    own: served(),
    applications: new Map(Object.keys(branding.applications).map((url) => [url, served(url)])),
    files,
    mailLogo: { light: fileOf(logos.light), dark: fileOf(logos.dark) },
    favicon: fileOf(branding.favicon),
  };
};

/** The members of addresses that name the page to which a visitor returns. */
const returnFields = ["redirect_to", "callbackURL", "redirectTo"];

/** An address of ours may contain another one of ours, such as that of the page after a sign-in. */
const depthMax = 3;

const addressLengthMax = 8192;

/** Returns the application to which an address leads, directly or by the way back that it contains. */
export const applicationOf = (
  applications: readonly string[],
  address: string,
  depth = depthMax,
): string | undefined => {
  const url = address.length > addressLengthMax ? null : URL.parse(address, "http://our.invalid");
  if (!url) return undefined;
  const ofOrigin = applications.filter((one) => new URL(one).origin === url.origin);
  const place = `${url.origin}${url.pathname}/`;
  const [nearest] = ofOrigin
    .filter((one) => place.startsWith(`${one.replace(/\/$/, "")}/`))
    .toSorted((one, other) => other.length - one.length);
  const application = nearest ?? ofOrigin[0];
  if (application !== undefined || depth === 0) return application;
  const [target] = returnFields.flatMap((field) => url.searchParams.get(field) ?? []);
  return target === undefined ? undefined : applicationOf(applications, target, depth - 1);
};

/**
 * Returns the look of the application that a visitor comes from: the one to which the request leads back, else the one whose page linked
 * here. Anyone can write such a link, so it chooses among configured looks only.
 */
export const lookFor = (
  { own, applications }: Looks,
  { url, headers: { referer } }: Pick<FastifyRequest, "headers" | "url">,
): ServedLook => {
  if (applications.size === 0) return own;
  const urls = [...applications.keys()];
  const application =
    applicationOf(urls, url) ?? (referer === undefined ? undefined : applicationOf(urls, referer));
  return (application && applications.get(application)) || own;
};
