import type { WantedView } from "@latchkey/service-kit";
import type { ApiKeyConfig } from "../config.ts";

/** Returns the view that the options request if they give the table of keys a custom name. */
export const wantedViews = ({ apiKey: { schema } }: Pick<ApiKeyConfig, "apiKey">): WantedView[] => {
  const { modelName, fields } = schema.apikey;
  if (modelName === undefined) return [];
  return [{ table: "api_key", option: "apiKey.schema.apikey", name: modelName, names: fields }];
};
