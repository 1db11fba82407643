import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serviceNames } from "@latchkey/contracts";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { CronJob, Job } from "kubernetes-models/batch/v1";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { Namespace, PersistentVolumeClaim, Secret, Service } from "kubernetes-models/v1";
import { optionVariables } from "@latchkey/service-kit/config";
import { expect, test } from "vitest";
import { postgresImage } from "../../libs/testkit/src/containers.ts";
import { servicePorts } from "../image/service-ports.ts";
import { isKnownVariable } from "../known-variables.fixture.ts";
import {
  collect,
  isSelected,
  type Manifest,
  podsOf,
  type PodTemplate,
  readConfigMap,
  readKustomization,
  readManifests,
} from "./manifests.fixture.ts";

const models = [
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Secret,
  Service,
];

const manifest = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
const { version } = JSON.parse(manifest) as { version: string };

const installation = collect("overlays/example");
const migration = collect("overlays/example/migrate");
const secrets = readManifests("secrets.example.yaml");
const all = [...installation.manifests, ...migration.manifests, ...secrets];

const ofKind = (kind: string, among: readonly Manifest[] = all) =>
  among.filter((each) => each.kind === kind);
const named = (kind: string, name: string): Manifest => {
  const namedManifest = ofKind(kind).find(({ metadata }) => metadata.name === name);
  if (!namedManifest) throw new Error(`No ${kind} is named ${name}`);
  return namedManifest;
};
const templateOf = (owner: Manifest): PodTemplate => {
  const pods = podsOf(owner);
  if (!pods) throw new Error(`${owner.metadata.name} has no pods`);
  return pods;
};
const containerOf = (owner: Manifest) => {
  const [container, ...others] = templateOf(owner).spec.containers;
  if (!container || others.length > 0) throw new Error("Expected exactly one container");
  return container;
};
const workloads = [...ofKind("Deployment"), ...ofKind("Job"), ...ofKind("CronJob")];
/** Those with our image. The backup runs the tools of Postgres. */
const ours = workloads.filter(({ metadata }) => metadata.name !== "backup");

test("every resource matches the schema of its kind", () => {
  for (const each of all) {
    const Model = models.find(
      (model) => model.kind === each.kind && model.apiVersion === each.apiVersion,
    );
    if (!Model) throw new Error(`Unknown kind ${each.apiVersion} ${each.kind}`);
    // A cast, because the content of the file is unknown until it is validated.
    const resource = new Model(each as never);
    expect(() => resource.validate(), `${each.kind} ${each.metadata.name}`).not.toThrow();
  }
  expect(all.length).toBeGreaterThan(30);
});

test("the validation rejects a resource that does not match its kind", () => {
  const wrong = structuredClone(named("Deployment", "gateway"));
  Object.assign(templateOf(wrong).spec, { terminationGracePeriodSeconds: "30s" });
  expect(() => new Deployment(wrong as never).validate()).toThrow();
});

test("every kustomization puts its resources into the same namespace", () => {
  const folders = new Set([...installation.folders, ...migration.folders]);
  expect(folders.size).toBe(7);
  for (const folder of folders) expect(readKustomization(folder).namespace).toBe("latchkey");
  for (const { metadata } of secrets) expect(metadata.namespace).toBe("latchkey");
  expect(ofKind("Namespace")[0]?.metadata.name).toBe("latchkey");
});

test("each service has pods, an address, an autoscaler and a disruption budget with the same labels", () => {
  for (const name of serviceNames) {
    const { labels } = templateOf(named("Deployment", name)).metadata;
    const { spec } = named("Deployment", name);
    expect(isSelected(spec.selector ?? {}, labels), name).toBe(true);
    expect(isSelected(named("PodDisruptionBudget", name).spec.selector ?? {}, labels)).toBe(true);
    expect(isSelected({ matchLabels: named("Service", name).spec.selector ?? {} }, labels)).toBe(
      true,
    );
    // The documented rollout selects one service after the other by this label.
    for (const each of readManifests(`base/services/${name}.yaml`))
      expect(each.metadata.labels, name).toMatchObject({ "app.kubernetes.io/component": name });
    expect(named("HorizontalPodAutoscaler", name).spec).toMatchObject({
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
      minReplicas: 2,
    });
    // A number here would override the autoscaler at each rollout.
    expect(spec["replicas"], name).toBeUndefined();
    for (const { labelSelector } of templateOf(named("Deployment", name)).spec[
      "topologySpreadConstraints"
    ] as { labelSelector: object }[])
      expect(isSelected(labelSelector, labels)).toBe(true);
    for (const other of ofKind("Deployment").filter(({ metadata }) => metadata.name !== name))
      expect(isSelected(spec.selector ?? {}, templateOf(other).metadata.labels)).toBe(false);
  }
});

test("a rollout keeps the number of pods, and allows each enough time to stop", () => {
  for (const { metadata, spec } of ofKind("Deployment")) {
    expect(spec["strategy"], metadata.name).toEqual({
      rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
    });
    expect(spec.template?.spec["terminationGracePeriodSeconds"]).toBe(30);
    expect(spec["minReadySeconds"]).toBeGreaterThan(0);
  }
});

test("every pod meets the restricted standard and has a read-only file system", () => {
  for (const each of workloads) {
    const { spec } = templateOf(each);
    expect(spec, each.metadata.name).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: "RuntimeDefault" },
      },
    });
    expect(containerOf(each)).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
      resources: {
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      },
    });
  }
});

/** Kubernetes sets variables such as IDENTITY_PORT for every Service, which collide with our settings. */
test("no pod gets variables of Services", () => {
  for (const each of workloads)
    expect(templateOf(each).spec["enableServiceLinks"], each.metadata.name).toBe(false);
});

test("each pod runs its service, and its probes use the health port of that service", () => {
  for (const name of serviceNames) {
    const container = containerOf(named("Deployment", name));
    const [, port] = servicePorts[name] ?? [];
    expect(container.args).toEqual([name]);
    expect(container.ports?.find((each) => each.name === "internal")?.containerPort).toBe(port);
    const probe = (path: string) => ({ httpGet: { path, port: "internal" } });
    expect(container).toMatchObject({
      startupProbe: probe("/health/live"),
      livenessProbe: probe("/health/live"),
      readinessProbe: probe("/health/serving"),
    });
  }
});

test("each service address leads to a port of its pods, and is the configured one", () => {
  const configMap = readConfigMap("latchkey", installation.folders);
  for (const name of serviceNames) {
    const ports = named("Service", name).spec["ports"] as { port: number; targetPort: string }[];
    const [{ port, targetPort } = { port: 0, targetPort: "" }] = ports;
    const target = containerOf(named("Deployment", name)).ports?.find(
      (each) => each.name === targetPort,
    );
    expect(target?.containerPort, name).toBe(port);
    expect(configMap[`${name.toUpperCase()}_URL`]).toBe(`http://${name}:${port}`);
  }
});

test("the ingress, and the route of the Gateway API, lead to the gateway's public port", () => {
  const [ingress] = ofKind("Ingress");
  expect(ingress?.spec["rules"]).toMatchObject([
    { http: { paths: [{ backend: { service: { name: "gateway", port: { name: "http" } } } }] } },
  ]);
  expect(ofKind("Ingress")).toHaveLength(1);
  const [route] = readManifests("overlays/example/http-route.yaml");
  expect(route).toMatchObject({
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    spec: {
      hostnames: [expect.stringMatching(/^auth\./)],
      rules: [{ backendRefs: [{ name: "gateway", port: 3000 }] }],
    },
  });
  expect(containerOf(named("Deployment", "gateway")).ports?.[0]).toEqual({
    name: "http",
    containerPort: 3000,
  });
});

/** The files in a pod's folder of secrets. */
const secretFiles = (template: PodTemplate): string[] =>
  template.spec.volumes.flatMap(({ projected }) =>
    (projected?.sources ?? []).flatMap(({ secret }) => {
      const keys = Object.keys(named("Secret", secret.name).stringData ?? {});
      if (!secret.items) return keys;
      for (const { key } of secret.items) expect(keys).toContain(key);
      return secret.items.map(({ path }) => path);
    }),
  );

const environmentOf = (each: Manifest, folders: readonly string[]) => {
  const container = containerOf(each);
  const maps = (container.envFrom ?? []).map(({ configMapRef }) =>
    readConfigMap(configMapRef.name, folders),
  );
  for (const map of maps) expect(Object.keys(map)).not.toHaveLength(0);
  const own = (container.env ?? []).map(({ name, value }) => [name, value] as const);
  return Object.assign({}, ...maps, Object.fromEntries(own)) as Record<string, string>;
};

const secretVariables = optionVariables.filter(({ isSecret }) => isSecret);
const fileNames = secretVariables.map(({ name }) => name.toLowerCase().replaceAll("_", "-"));

test("no variable of a pod holds a secret, and every variable is known", () => {
  for (const each of ours) {
    const { folders } = each.kind === "Job" ? migration : installation;
    const environment = environmentOf(each, folders);
    for (const name of Object.keys(environment)) expect(isKnownVariable(name), name).toBe(true);
    for (const { name } of secretVariables)
      expect(Object.hasOwn(environment, name), `${name} of ${each.metadata.name}`).toBe(false);
    expect(environment).toMatchObject({
      BASE_URL: expect.stringMatching(/^https:/),
      SECRETS_FOLDER: "/run/latchkey",
    });
    for (const file of secretFiles(templateOf(each))) expect(fileNames).toContain(file);
  }
});

/** A password that another service can read does not isolate its role. */
test("a pod sees only the secrets that it uses", () => {
  const filesOf = (kind: string, name: string) => secretFiles(templateOf(named(kind, name)));
  const shared = ["auth-secret", "redis-url"];
  const callers = [...shared, "database-url", "service-tokens"];
  expect(serviceNames.map((name) => [name, filesOf("Deployment", name).toSorted()])).toEqual([
    ["identity", [...callers, "social-providers"].toSorted()],
    ["organization", callers.toSorted()],
    ["apikey", callers.toSorted()],
    ["mailer", [...callers, "smtp-url"].toSorted()],
    ["webhooks", callers.toSorted()],
    ["oauth", callers.toSorted()],
    ["gateway", [...shared, "captcha-secret-key", "database-url"].toSorted()],
  ]);
  const migrates = [...callers, "smtp-url", "social-providers", "captcha-secret-key"];
  const roles = serviceNames.map((name) => `${name}-database-url`);
  expect(filesOf("Job", `migrate-${version.replaceAll(".", "-")}`).toSorted()).toEqual(
    [...migrates, ...roles].toSorted(),
  );
});

/** The URL of a database contains the role of one service. */
test("no two services share the secret of a database", () => {
  const seen = serviceNames.flatMap((name) =>
    templateOf(named("Deployment", name)).spec.volumes.flatMap(({ projected }) =>
      (projected?.sources ?? [])
        .map(({ secret }) => secret.name)
        .filter((secret) => "database-url" in (named("Secret", secret).stringData ?? {})),
    ),
  );
  expect(seen.toSorted()).toEqual([
    "latchkey-apikey",
    "latchkey-gateway",
    "latchkey-identity",
    "latchkey-mailer",
    "latchkey-oauth",
    "latchkey-organization",
    "latchkey-webhooks",
  ]);
});

test("a pod starts without the optional secrets", () => {
  const optional = new Set(
    workloads.flatMap((each) =>
      templateOf(each).spec.volumes.flatMap(({ projected }) =>
        (projected?.sources ?? []).flatMap(({ secret }) => (secret.optional ? [secret.name] : [])),
      ),
    ),
  );
  expect([...optional].toSorted()).toEqual([
    "latchkey-captcha",
    "latchkey-gateway",
    "latchkey-service-tokens",
    "latchkey-social-providers",
  ]);
});

test("no secret in the repository has a value", () => {
  for (const { metadata, stringData = {} } of secrets)
    for (const [key, value] of Object.entries(stringData))
      expect(value, `${metadata.name} ${key}`).toBe("");
  expect(ofKind("Secret", [...installation.manifests, ...migration.manifests])).toEqual([]);
});

/** A pooler in transaction mode supports neither LISTEN nor the locks of migrations. */
test("every secret with the address of a database may hold a direct one too", () => {
  expect(fileNames).toContain("direct-database-url");
  const withDatabase = secrets.filter(({ stringData = {} }) => "database-url" in stringData);
  const restricted = [...ofKind("Deployment"), ...ofKind("CronJob")].flatMap((each) =>
    templateOf(each).spec.volumes.flatMap(({ projected }) =>
      (projected?.sources ?? []).filter(({ secret }) => secret.items),
    ),
  );
  expect(withDatabase).toHaveLength(serviceNames.length + 1);
  expect(restricted).toEqual([]);
});

test("the monitor collects from the port of each pod that serves metrics", () => {
  const [monitor] = readManifests("base/monitoring/pod-monitor.yaml");
  const { selector, jobLabel, podMetricsEndpoints } = monitor?.spec ?? {};
  expect(podMetricsEndpoints).toMatchObject([{ port: "internal", path: "/metrics" }]);
  for (const each of ofKind("Deployment")) {
    const { labels } = templateOf(each).metadata;
    expect(isSelected(selector ?? {}, labels), each.metadata.name).toBe(true);
    // The alerts select this job.
    expect(labels[String(jobLabel)]).toBe("latchkey");
  }
});

test("the database is dumped and the audit verified every day, with the tools of the deployed Postgres", () => {
  for (const { metadata, spec } of ofKind("CronJob"))
    expect(spec, metadata.name).toMatchObject({
      schedule: expect.stringMatching(/^\d+ \d+ \* \* \*$/),
      concurrencyPolicy: "Forbid",
      jobTemplate: { spec: { activeDeadlineSeconds: expect.any(Number) } },
    });
  expect(containerOf(named("CronJob", "audit-verify")).args).toEqual(["audit", "verify"]);
  expect(containerOf(named("CronJob", "backup")).image).toBe(postgresImage);
});

test("every mounted volume exists, and the optional config map is marked as optional", () => {
  for (const each of workloads) {
    const { volumes } = templateOf(each).spec;
    const names = volumes.map(({ name }) => name);
    expect(
      containerOf(each)
        .volumeMounts.map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted());
    for (const { configMap } of volumes)
      if (configMap) expect(configMap).toEqual({ name: "latchkey-options", optional: true });
  }
});

test("the migration and the images have this version, and the migration job ends by itself", () => {
  const [job, ...others] = ofKind("Job");
  expect(others).toEqual([]);
  expect(job?.metadata.name).toBe(`migrate-${version.replaceAll(".", "-")}`);
  expect(job?.spec).toMatchObject({
    backoffLimit: expect.any(Number),
    activeDeadlineSeconds: expect.any(Number),
    ttlSecondsAfterFinished: expect.any(Number),
  });
  for (const folder of ["overlays/example", "overlays/example/migrate"])
    expect(readKustomization(folder).images).toMatchObject([{ name: "latchkey", newTag: version }]);
  for (const each of ours) expect(containerOf(each).image).toBe("latchkey");
});
