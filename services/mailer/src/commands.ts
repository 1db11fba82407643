// What operators do from the command line, beside the running service or without it.

export { checkSmtp } from "./deliveries/check-smtp.ts";
