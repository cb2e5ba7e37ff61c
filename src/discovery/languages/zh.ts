/** Chinese words of each subject (see words.ts for their form). */
export const words = `
~: 佇伫 個个 們们 傳传 債债 價价 優优 儲储 內内 兩两 別别 刪删 則则 創创 劃划 動动 務务 勢势 匯汇 區区 協协 員员 單单 嗎吗 國国 圍围 圖图 執执 報报 場场 壞坏 實实 審审 寫写 將将 對对 導导 帳账 幣币 幾几 庫库 從从 復复 態态 應应 懼惧 採采 換换 損损 擇择 據据 擬拟 擷撷 數数 時时 書书 會会 東东 條条 業业 構构 標标 機机 檔档 檢检 權权 歲岁 歷历 氣气 測测 溫温 滿满 漢汉 濕湿 為为 熱热 獲获 現现 產产 異异 當当 發发 盤盘 確确 碼码 礦矿 稅税 穀谷 節节 範范 簡简 簽签 籤签 約约 級级 組组 結结 給给 統统 經经 維维 網网 緊紧 緯纬 總总 績绩 織织 聯联 臨临 與与 蓋盖 薦荐 藥药 處处 虛虚 號号 複复 規规 訂订 計计 訊讯 討讨 設设 詐诈 評评 試试 話话 認认 語语 說说 請请 論论 證证 識识 譯译 議议 讀读 變变 讓让 財财 貨货 貪贪 貸贷 費费 資资 質质 賬账 購购 趨趋 較较 輸输 轉转 農农 這这 過过 達达 遠远 選选 還还 郵邮 醫医 釋释 釣钓 銀银 銷销 錄录 錢钱 鎖锁 鏈链 門门 開开 間间 閱阅 關关 隊队 險险 隱隐 雜杂 離离 雲云 電电 韓韩 頁页 預预 題题 額额 類类 顯显 風风 飛飞 餘余 駕驾 騙骗 驗验 體体 魚鱼 麼么 黃黄 點点
check: 检查 验证 校验 核实 是否有效 有效 合法 查验 合规
convert: 转换 换算 转成 转为 变成 转
create: 生成 创建 制作 新建 写
read: 读取 解析 扫描 识读 读
find: 查找 找出 找
search: 搜索 查询 搜
list: 列表 列出 排行 排名 有哪些
count: 计数 计算 多少个 几个
compare: 比较 对比 差异 不同
delete: 删除 移除 删掉
erase: 清除 清空 抹除 全部删除
everything: 全部 所有
update: 更新 修改 增加
cancel: 取消 停止 终止
status: 状态 进展
get: 获取 取回 下载 读取
put: 保存 存储 写入 放入 加入 存 上传
take: 取出 领取 获取 拿
return: 退回 归还 放回
again: 重新 再次 重发 重试
send: 发送 发给 寄
extend: 延长 续期 延期
release: 释放 解除
several: 多个 批量 一批 几个
split: 分割 切分 拆分 分块 分段
extract: 提取 抽取 抓取
describe: 描述 说明
classify: 分类 归类 打标签
sort: 排序
run: 执行 运行
now: 现在 当前 实时 目前 最新
since: 自从 以来 最近发生
near: 最近的 附近 邻近 最相似
change: 变化 更换 轮换 变动
notify: 通知 提醒
call: 调用 回调
message: 消息 信息
words: 关键词 全文
text: 文本 文字 文章
document: 文档
file: 文件
image: 图片 图像 照片 图
word: word docx 办公文档 演示文稿
webpage: 网页 网站 页面
table: 表格
postal: 邮寄地址 通信地址 邮政地址 地址格式 写地址 地址怎么写
format: 格式
address: 地址
news: 新闻 动态 新进展
drought: 干旱 旱情
harvest: 农业 收成 农作物 产量
chat: 聊天 对话
model: 大模型 模型 人工智能
council: 多个模型 讨论 评议 会商
names: 人名 实体 组织 名称 名字
draw: 生成图片 画 绘制 作图
moderate: 审核 仇恨 违规内容 辱骂
ocr: 文字识别 识别文字 ocr 识别图
personal: 个人信息 隐私 个人数据
research: 研究 简报 调研
screenshot: 截图 截屏 快照
sentiment: 情感 情绪
summarize: 摘要 总结 概括 概述
translate: 翻译 译成
language: 语言 英语 英文
websearch: 联网 网上搜索 上网
question: 问题 提问 回答
aircraft: 飞机 直升机 航空器
registration: 注册号 登记 尾号
owner: 所有者 主人 机主 拥有者 属于谁
airport: 机场
code: 代码 编码
accident: 事故 坠机 空难
weather: 天气 气象
hazard: 颠簸 湍流 结冰 雷暴 火山灰 危险天气
forecast: 预报 预测
bank: 银行
insured: 存款保险 投保
statement: 对账单 银行流水 账单
barcode: 条形码 条码 二维码
batch: 批量 一次付款 一次性调用 多个请求
gene: 基因
protein: 蛋白质 蛋白
species: 物种 学名
unemployment: 失业
inflation: 通货膨胀 通胀 物价 工资
book: 图书 书籍 书
author: 作者 作家
brazil: 巴西
company: 公司 企业 商家 工商
match: 匹配 对应
connecticut: 康涅狄格
officers: 高管 董事 负责人
sanctions: 制裁 黑名单
finland: 芬兰
france: 法国
ticker: 股票代码
identifier: 标识符 编号 书号 识别码
diligence: 尽职调查 背景调查 尽调
lei: 法人识别码 法人机构 lei 法律实体
subsidiary: 子公司 母公司 股权结构
isin: isin
securities: 证券 债券
industry: 行业
norway: 挪威
poland: 波兰
usa: 美国
registry: 注册 登记处 登记
britain: 英国
workday: 工作日
date: 日期 日子
earnings: 财报 业绩 盈利
holiday: 节假日 假日 假期 放假 节日
event: 日历 日程 活动
ipo: 上市 首次公开募股 新股
population: 人口 居民
income: 收入
zip: 邮编 邮政编码
compound: 化合物 分子 化学
formula: 分子式 化学式 分子量
traditional: 繁体 简体
chinese: 中文 汉字 汉语
detect: 检测 判断 识别
pinyin: 拼音 读音 发音
history: 历史 过去 去年 走势
rain: 降雨 降水 下雪
station: 气象站 站点
trial: 临床试验 临床
details: 详情 详细
disease: 疾病 癌症 糖尿病 癌
repository: 仓库 代码库 github 开源项目
exchange: 汇率 货币 兑换 换汇 外汇 美元对 美元兑 欧元对
dollar: 美元 欧元 日元 人民币
unit: 单位 公里 英里 公斤 磅 摄氏
countdown: 倒计时
email: 邮件 邮箱 电子邮件
country: 国家
risk: 风险
rating: 评级 信用评级
capital: 首都
calling: 区号 国际区号
transaction: 交易
wallet: 钱包
scam: 诈骗 骗子 欺诈 安全吗 钓鱼
bitcoin: 比特币
ethereum: 以太坊 以太币
crypto: 加密货币 虚拟货币 数字货币 币圈
balance: 余额
token: 代币
fee: 手续费 费率 费用
mempool: 内存池 交易池
waiting: 等待 待确认 未确认
utxo: 未花费
candle: k线 蜡烛图
price: 价格 价 多少钱 行情
market: 市场 交易所
tvl: 锁仓 总锁仓量
blockchain: 区块链 公链 链上
coin: 币种 币
contract: 智能合约 合约
calldata: 输入数据 调用数据
decode: 解码 解密
defi: 去中心化金融 defi
revenue: 营收 收费
yield: 收益率 收益 年化
pool: 资金池 流动性池 流动性 池
dex: 去中心化交易所
trending: 热门 趋势
ens: ens
fear: 恐惧 贪婪
gas: 矿工费 燃料费 gas
capitalization: 总市值 市值
kimchi: 泡菜溢价 泡菜
korea: 韩国
funding: 资金费率
perpetual: 永续合约 永续
predict: 预测 下一次 预计
cron: cron 定时表达式
jwt: jwt 令牌
signature: 签名
license: 许可证 许可
regex: 正则表达式 正则
version: 版本
markdown: markdown
domain: 域名
security: 安全
edifact: edifact
edi: edi 电子数据交换
spf: spf
loan: 贷款 房贷 按揭 还款 月供
interest: 利息 利率
irr: 内部收益率 净现值 irr
investment: 投资
option: 期权
coordinates: 坐标 经纬度
distance: 距离 多远
area: 面积
invoice: 发票
json: json
path: 路径
repair: 修复 损坏 坏掉 修正
schema: 模式 架构
lock: 锁 加锁
payment: 付款 支付 转账
pdf: pdf
phone: 电话 手机号 手机
label: 标签
product: 产品 商品
topic: 主题 话题
delivery: 投递 送达
publish: 发布
subscribe: 订阅
unsubscribe: 退订 取消订阅
acknowledge: 确认 应答
queue: 队列
dead: 死信 失败的
failed: 失败
schedule: 定时 计划任务 日程安排 每小时
vulnerability: 漏洞
severity: 严重程度 严重性
stored: 我保存的 存储的 我的 保存的
condition: 条件 筛选
key: 键 密钥
value: 值
counter: 计数器 自增
usage: 用量 占用 空间
export: 导出
vector: 向量
similar: 相似
redact: 脱敏 打码 遮盖 隐藏
timezone: 时区
time: 时间 几点
feed: 订阅源 rss
robots: robots 爬虫
iban: iban 国际银行账号 银行账号
taxid: 税号 增值税 纳税人识别号
watch: 监控 监视 盯
webhook: webhook 回调
secret: 密钥 签名密钥
`;
