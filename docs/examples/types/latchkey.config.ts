/** The part of an installation's configuration that its applications repeat in their types. */
export default {
  user: {
    additionalFields: {
      plan: { type: ["free", "paid"], input: false, defaultValue: "free" },
      bornOn: { type: "date", required: false },
    },
  },
  organization: {
    roles: {
      owner: {
        organization: ["update", "delete"],
        member: ["create", "update", "delete"],
        invoice: ["read", "pay"],
      },
      accountant: { invoice: ["read", "pay"] },
      member: { invoice: ["read"] },
    },
    schema: {
      organization: { additionalFields: { vatId: { type: "string", required: false } } },
    },
  },
};
