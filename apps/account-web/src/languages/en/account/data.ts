export const data = {
  title: "Your data",
  lead: "What is stored about you, and how to delete it.",
  export: {
    title: "Download your data",
    text: "A file with your profile, sign-in methods, sessions, keys and organizations.",
    action: "Download data",
    fileName: "{{name}} data",
  },
  delete: {
    title: "Delete account",
    text: "Your account and everything in it are deleted. This cannot be undone.",
    action: "Delete account",
    confirmTitle: "Delete your account?",
    mailedTitle: "Check your inbox",
    mailedText: "We sent a link to {{email}}. Open it to delete your account.",
    done: "Done",
  },
};
