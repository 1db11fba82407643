import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "アカウント",
  signedInAs: "{{email}} としてサインインしています。",
  you: {
    title: "プロフィール",
    text: "共同で作業する相手に名前が表示されます。",
    name: "名前",
    image: "画像",
    imageHint: "画像のアドレス（例：https://example.com/me.png）。",
    imageFault: "https:// で始まるアドレスを入力してください。",
    username: "ユーザー名",
    save: "保存",
    saved: "プロフィールを保存しました。",
  },
  email: {
    title: "メールアドレス",
    verified: "確認済み",
    unverified: "未確認",
    resend: "確認メールを再送信",
    resent: "{{email}} にリンクをお送りしました。",
    change: "メールアドレスを変更",
    newEmail: "新しいメールアドレス",
    enterEmail: "name@example.com のようなメールアドレスを入力してください。",
    confirmText:
      "現在のメールアドレスにリンクをお送りします。リンクを開いて変更を確認してください。",
    atOnceText: "新しいメールアドレスに、確認用のリンクをお送りします。",
    changed: "メールアドレスを変更しました。新しいアドレスにお送りしたリンクを開いてください。",
    send: "リンクを送信",
    requested: "現在のメールアドレスにリンクをお送りしました。",
  },
};
