/** Vietnamese words of each subject (see words.ts for their form). */
export const words = `
.: của và là có cho ở từ đến trong bao nhiêu như thế nào ai đâu khi này tôi một các những được không hay hoặc với giữa
check: kiểm_tra xác_minh hợp_lệ đúng
convert: chuyển đổi chuyển_đổi quy_đổi
create: tạo sinh viết làm
read: đọc quét
find: tìm
search: tìm_kiếm tra_cứu tìm
list: danh_sách liệt_kê xếp_hạng
count: đếm số_lượng tính
compare: so_sánh khác_nhau khác_biệt
delete: xóa xoá gỡ
erase: xóa_tất_cả xóa_hết xóa_toàn_bộ
everything: tất_cả toàn_bộ
update: cập_nhật sửa tăng
cancel: hủy huỷ dừng
status: trạng_thái tình_trạng
get: lấy tải
put: lưu thêm đưa cất gửi_vào
take: lấy nhận giành
return: trả_lại trả
again: lại lần_nữa
send: gửi
extend: gia_hạn kéo_dài
release: mở nhả giải_phóng
several: nhiều hàng_loạt
split: chia tách cắt
extract: trích_xuất trích lấy
describe: mô_tả
classify: phân_loại
sort: sắp_xếp
run: chạy
now: hiện_tại bây_giờ hiện_nay
since: kể_từ mới
near: gần gần_nhất
change: thay_đổi đổi
notify: thông_báo báo
call: gọi
message: tin_nhắn thông_điệp
words: từ_khóa
text: văn_bản đoạn_văn
document: tài_liệu
file: tệp tập_tin file
image: ảnh hình_ảnh hình
word: word docx
webpage: trang_web website trang
table: bảng
postal: địa_chỉ_bưu_chính bưu_chính
format: định_dạng cách_viết
address: địa_chỉ
news: tin_tức tin_mới
drought: hạn_hán
harvest: mùa_màng nông_nghiệp thu_hoạch
chat: trò_chuyện chat
model: mô_hình trí_tuệ_nhân_tạo ai
council: hội_đồng ý_kiến thảo_luận
names: tên thực_thể tổ_chức
draw: tạo_ảnh vẽ tạo_hình tạo_hình_ảnh
moderate: kiểm_duyệt thù_ghét xúc_phạm
ocr: nhận_dạng_chữ nhận_dạng ocr chữ_trong_ảnh
personal: cá_nhân
research: nghiên_cứu
screenshot: chụp_màn_hình ảnh_chụp chụp
sentiment: cảm_xúc
summarize: tóm_tắt
translate: dịch phiên_dịch
language: ngôn_ngữ tiếng_anh tiếng
websearch: tìm_trên_mạng trên_mạng internet
question: câu_hỏi
aircraft: máy_bay trực_thăng
registration: đăng_ký
owner: chủ_sở_hữu chủ sở_hữu
airport: sân_bay
code: mã
accident: tai_nạn
weather: thời_tiết
hazard: nhiễu_động nguy_hiểm giông
forecast: dự_báo
bank: ngân_hàng
insured: bảo_hiểm_tiền_gửi bảo_hiểm
statement: sao_kê
barcode: mã_vạch mã_qr qr
batch: cùng_lúc một_lần hàng_loạt
gene: gen
protein: protein
species: loài tên_khoa_học
unemployment: thất_nghiệp
inflation: lạm_phát tiền_lương
book: sách tiểu_thuyết
author: tác_giả
brazil: brazil
company: công_ty doanh_nghiệp
match: khớp
connecticut: connecticut
officers: giám_đốc
sanctions: trừng_phạt cấm_vận
finland: phần_lan
france: pháp
ticker: mã_chứng_khoán mã_cổ_phiếu
identifier: định_danh isbn
diligence: thẩm_định hồ_sơ
lei: pháp_nhân lei
subsidiary: công_ty_con công_ty_mẹ
isin: isin
securities: chứng_khoán trái_phiếu
industry: ngành
norway: na_uy
poland: ba_lan
usa: mỹ hoa_kỳ
registry: đăng_ký_kinh_doanh sổ_đăng_ký
britain: anh_quốc vương_quốc_anh công_ty_anh
workday: ngày_làm_việc
date: ngày
earnings: lợi_nhuận báo_cáo_tài_chính kết_quả_kinh_doanh
holiday: ngày_nghỉ ngày_lễ nghỉ_lễ lễ
event: lịch sự_kiện
ipo: ipo phát_hành_lần_đầu chào_bán
population: dân_số
income: thu_nhập
zip: mã_bưu_điện mã_bưu_chính
compound: hợp_chất phân_tử hóa_học hoá_học
formula: công_thức khối_lượng_mol
traditional: phồn_thể giản_thể
chinese: tiếng_trung chữ_hán trung_quốc
detect: phát_hiện nhận_biết
pinyin: bính_âm pinyin phát_âm
history: lịch_sử quá_khứ năm_ngoái
rain: mưa lượng_mưa
station: trạm
trial: thử_nghiệm_lâm_sàng lâm_sàng
details: chi_tiết
disease: bệnh ung_thư tiểu_đường
repository: kho_mã github mã_nguồn
exchange: tỷ_giá tỉ_giá tiền_tệ ngoại_tệ ngoại_hối
dollar: đô_la usd euro
unit: đơn_vị kilômét kilogam dặm độ km kg
countdown: đếm_ngược
email: email thư_điện_tử thư
country: quốc_gia nước
risk: rủi_ro
rating: xếp_hạng_tín_nhiệm tín_nhiệm
capital: thủ_đô
calling: mã_vùng mã_quốc_gia mã_điện_thoại
transaction: giao_dịch
wallet: ví
scam: lừa_đảo an_toàn
bitcoin: bitcoin btc
ethereum: ethereum eth
crypto: tiền_điện_tử tiền_số tiền_mã_hóa tiền_ảo crypto
balance: số_dư
token: token
fee: phí
mempool: mempool
waiting: chờ chưa_xác_nhận
utxo: utxo chưa_tiêu
candle: nến
price: giá
market: thị_trường sàn
tvl: tvl giá_trị_khóa
blockchain: blockchain chuỗi_khối mạng
coin: đồng_coin đồng coin
contract: hợp_đồng_thông_minh hợp_đồng
calldata: calldata dữ_liệu_đầu_vào
decode: giải_mã
defi: defi
revenue: doanh_thu
yield: lợi_suất lãi_suất_defi
pool: pool thanh_khoản bể
dex: phi_tập_trung dex
trending: xu_hướng thịnh_hành
ens: ens
fear: sợ_hãi tham_lam
gas: gas
capitalization: vốn_hóa vốn_hoá
kimchi: kimchi kim_chi
korea: hàn_quốc
funding: funding tài_trợ
perpetual: vĩnh_cửu
predict: dự_đoán tiếp_theo
cron: cron
jwt: jwt
signature: chữ_ký
license: giấy_phép
regex: biểu_thức_chính_quy regex
version: phiên_bản
markdown: markdown
domain: tên_miền
security: bảo_mật an_ninh
edifact: edifact
edi: edi
spf: spf
loan: khoản_vay vay trả_góp thế_chấp
interest: lãi lãi_suất
irr: tỷ_suất_hoàn_vốn irr
investment: đầu_tư
option: quyền_chọn
coordinates: tọa_độ toạ_độ
distance: khoảng_cách xa
area: diện_tích
invoice: hóa_đơn hoá_đơn
json: json
path: đường_dẫn
repair: sửa hỏng sửa_lỗi
schema: lược_đồ schema
lock: khóa khoá
payment: thanh_toán
pdf: pdf
phone: điện_thoại
label: nhãn
product: sản_phẩm
topic: chủ_đề
delivery: giao gửi_đi phát
publish: xuất_bản phát_hành đăng
subscribe: đăng_ký_nhận theo_dõi_chủ_đề đăng_ký
unsubscribe: hủy_đăng_ký bỏ_đăng_ký
acknowledge: xác_nhận
queue: hàng_đợi
dead: thất_bại chết
failed: thất_bại lỗi
schedule: lịch_trình lên_lịch hẹn_giờ mỗi_giờ
vulnerability: lỗ_hổng
severity: mức_độ nghiêm_trọng
stored: đã_lưu lưu_trữ
condition: điều_kiện
key: khóa khoá
value: giá_trị
counter: bộ_đếm
usage: dung_lượng sử_dụng
export: xuất
vector: vector véc_tơ vectơ
similar: giống tương_tự
redact: che ẩn
timezone: múi_giờ
time: giờ thời_gian
feed: rss nguồn_tin
robots: robots
iban: iban số_tài_khoản
taxid: mã_số_thuế thuế
watch: theo_dõi giám_sát
webhook: webhook
secret: bí_mật
`;
