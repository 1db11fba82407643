import type { Translation } from "../../messages.ts";

export const sessions: Translation<"account", "sessions"> = {
  title: "会话",
  lead: "您已登录的浏览器和设备。",
  list: "活动会话",
  device: "{{browser}}（{{system}}）",
  unknownDevice: "未知设备",
  current: "当前会话",
  address: "IP 地址 {{address}}",
  started: "登录时间",
  lastActive: "上次活动",
  expires: "结束时间",
  end: "结束会话",
  endOf: "结束 {{device}} 的会话",
  ended: "会话已结束。",
  endOthers: "结束所有其他会话",
  endOthersTitle: "结束所有其他会话？",
  endOthersText: "您在此处保持登录，在其他所有位置都将退出登录。",
  othersEnded: "所有其他会话均已结束。",
};
