import type { WebBuild } from "./read-build.ts";

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

const matches = (route: readonly string[], path: readonly string[]): boolean =>
  route.length === path.length &&
  route.every((segment, index) => segment.startsWith("$") || segment === path[index]);

/** Makes a page at its first request, because compressing the pages of all screens takes a tenth of a start. */
const makeOnce = <Page>(make: () => Page): (() => Page) => {
  let made: { page: Page } | undefined;
  return () => (made ??= { page: make() }).page;
};

/**
 * Makes the page of each screen once, from its scripts. Returns a function that finds the page of a path below that of the web, such as
 * `users/17`. Unknown paths have a page without scripts.
 */
export const createScreens = <Page>(
  screens: WebBuild["screens"],
  pageWith: (scripts: readonly string[]) => Page,
): ((below: string) => Page) => {
  const pages = Object.entries(screens).map(([route, scripts]) => ({
    route: segmentsOf(route),
    page: makeOnce(() => pageWith(scripts)),
  }));
  const other = makeOnce(() => pageWith([]));
  return (below) => {
    const path = segmentsOf(below);
    return (pages.find(({ route }) => matches(route, path))?.page ?? other)();
  };
};
