import { z } from "zod";

/** Seed servers of a Redis Cluster, and the credentials. */
export interface RedisCluster {
  tls: boolean;
  /** As written: `host:port,host:port`. */
  hosts: string;
  nodes: { host: string; port: number }[];
  username: string;
  password: string;
}

const form = /^redis(s?)-cluster:\/\/(?:(.*)@)?([^/?#@]+)\/?$/;
const defaultPort = 6379;

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** Parses `redis-cluster://[user:password@]host:port[,host:port...]`, or `rediss-cluster:` for TLS. Returns undefined for anything else. */
export const readRedisCluster = (text: string): RedisCluster | undefined => {
  const [, secure, who, hosts] = form.exec(text) ?? [];
  if (hosts === undefined) return undefined;
  const signIn = who === undefined ? "" : `${who}@`;
  const urls = hosts.split(",").map((host) => URL.parse(`redis://${signIn}${host}`));
  const nodes = urls.flatMap((url) =>
    url?.hostname
      ? [{ host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(url.port) || defaultPort }]
      : [],
  );
  const username = decode(urls[0]?.username ?? "");
  const password = decode(urls[0]?.password ?? "");
  if (nodes.length < urls.length || username === undefined || password === undefined)
    return undefined;
  return { tls: secure === "s", hosts, nodes, username, password };
};

/** Returns host and port of a Redis, or the seed servers of a cluster, without credentials. */
export const redisHosts = (url: string): string =>
  readRedisCluster(url)?.hosts ?? new URL(url).host;

const isServerUrl = (text: string): boolean => /^rediss?:$/.test(URL.parse(text)?.protocol ?? "");

/** The URL of a Redis or of a Redis Cluster, as text. */
export const redisUrlOption = z
  .string()
  .refine((text) => isServerUrl(text) || readRedisCluster(text) !== undefined, {
    error: "must be a redis, rediss, redis-cluster or rediss-cluster URL",
  });
