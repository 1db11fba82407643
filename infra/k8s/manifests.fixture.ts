import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";

type Labels = Readonly<Record<string, string>>;

export interface LabelSelector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: "In"; values: string[] }[];
}

export interface Container {
  name: string;
  image: string;
  args?: string[];
  ports?: { name: string; containerPort: number }[];
  env?: { name: string; value: string }[];
  envFrom?: { configMapRef: { name: string } }[];
  volumeMounts: { name: string; mountPath: string }[];
  [probe: string]: unknown;
}

/** A source of files within one volume. */
interface Projection {
  secret: { name: string; optional?: boolean; items?: { key: string; path: string }[] };
}

export interface PodTemplate {
  metadata: { labels: Labels };
  spec: {
    containers: Container[];
    volumes: {
      name: string;
      projected?: { sources: Projection[] };
      configMap?: { name: string; optional?: boolean };
    }[];
    [member: string]: unknown;
  };
}

/** A resource, with the members that the tests read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels };
  spec: {
    selector?: LabelSelector & Labels;
    template?: PodTemplate;
    /** Of a CronJob. */
    jobTemplate?: { spec: { template: PodTemplate } };
    [member: string]: unknown;
  };
  stringData?: Labels;
}

interface Kustomization {
  resources?: string[];
  configMapGenerator?: { name: string; envs?: string[]; literals?: string[]; files?: string[] }[];
  images?: { name: string; newTag: string }[];
  namespace?: string;
}

const folder = import.meta.dirname;

export const readManifests = (path: string): Manifest[] =>
  parseAllDocuments(readFileSync(join(folder, path), "utf8")).map(
    (document) => document.toJS() as Manifest,
  );

export const readKustomization = (path: string): Kustomization =>
  parse(readFileSync(join(folder, path, "kustomization.yaml"), "utf8")) as Kustomization;

/** Returns all resources and folders of a kustomization, including those of its bases. */
export const collect = (path: string): { manifests: Manifest[]; folders: string[] } => {
  const manifests: Manifest[] = [];
  const folders = [path];
  for (const resource of readKustomization(path).resources ?? []) {
    const place = join(path, resource);
    if (resource.endsWith(".yaml")) manifests.push(...readManifests(place));
    else {
      const below = collect(place);
      manifests.push(...below.manifests);
      folders.push(...below.folders);
    }
  }
  return { manifests, folders };
};

/** Returns the variables of a generated config map. Earlier folders override later ones. */
export const readConfigMap = (name: string, folders: readonly string[]): Record<string, string> => {
  const lines = folders
    .toReversed()
    .flatMap((path) =>
      (readKustomization(path).configMapGenerator ?? [])
        .filter((generator) => generator.name === name)
        .flatMap(({ envs = [], literals = [] }) =>
          envs
            .flatMap((file) => readFileSync(join(folder, path, file), "utf8").split("\n"))
            .concat(literals),
        ),
    )
    .filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
};

/** The pods of a workload, or undefined if it has none. */
export const podsOf = ({ spec }: Manifest): PodTemplate | undefined =>
  spec?.template ?? spec?.jobTemplate?.spec.template;

/** Whether a selector matches the labels. An empty selector matches all. */
export const isSelected = (
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  labels: Labels,
): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ""));
