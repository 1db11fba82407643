import type { WantedView } from "@latchkey/service-kit";
import type { ApiKeyConfig } from "../config.ts";

/** The view that the options ask for, where they give the table of keys a name of the application's own. */
export const wantedViews = ({ apiKey: { schema } }: Pick<ApiKeyConfig, "apiKey">): WantedView[] => {
  const { modelName, fields } = schema.apikey;
  if (modelName === undefined) return [];
  return [{ table: "api_key", option: "apiKey.schema.apikey", name: modelName, names: fields }];
};
