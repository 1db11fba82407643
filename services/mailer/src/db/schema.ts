/** The schema that this service owns. */
export const schema = "mailer";
