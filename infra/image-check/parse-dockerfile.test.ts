import { expect, test } from "vitest";
import { parseDockerfile } from "./parse-dockerfile.ts";

const stages = parseDockerfile(`
# first
ARG VERSION=1.2
FROM node:\${VERSION}-slim AS base
WORKDIR /app

FROM base
COPY --from=base /a \\
  # not this
  /b
RUN --mount=type=cache,target=/c echo \${HOME} && \\
    true
ENTRYPOINT ["node", "a b"]
`);

test("reads the names or numbers of stages and their bases", () => {
  expect(stages.map(({ name, from }) => [name, from])).toEqual([
    ["base", "node:1.2-slim"],
    ["1", "base"],
  ]);
});

test("reads instructions with flags and words, and leaves shell text unchanged", () => {
  expect(stages[1]?.instructions).toEqual([
    { keyword: "COPY", flags: { from: "base" }, text: "/a /b", words: ["/a", "/b"] },
    {
      keyword: "RUN",
      flags: { mount: "type=cache,target=/c" },
      text: "echo ${HOME} && true",
      words: ["echo", "${HOME}", "&&", "true"],
    },
    { keyword: "ENTRYPOINT", flags: {}, text: '["node", "a b"]', words: ["node", "a b"] },
  ]);
});
