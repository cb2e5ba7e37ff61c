/**
 * Letters of zones by their offsets from UTC in minutes, one line a group of zones. Zones whose letters tzdata writes as
 * numbers are left out. From tzdata 2025b (public domain), 1970 to 2026, the latest letters of each offset.
 */
export const ABBREVIATIONS = `
ACST+570: Australia/Darwin
ACST+570,ACDT+630: Australia/Adelaide Australia/Broken_Hill
AEST+600: Australia/Lord_Howe
AEST+600,AEDT+660: Antarctica/Macquarie Australia/Brisbane Australia/Hobart Australia/Lindeman Australia/Melbourne Australia/Sydney
AHST-600,AKST-540,AKDT-480: America/Anchorage
AKST-540,AKDT-480: America/Yakutat
AKST-540,AKDT-480,PDT-420: America/Juneau America/Metlakatla America/Sitka
AST-240: America/Anguilla America/Antigua America/Aruba America/Blanc-Sablon America/Curacao America/Dominica America/Grenada America/Guadeloupe America/Kralendijk America/Lower_Princes America/Marigot America/Miquelon America/Montserrat America/Port_of_Spain America/Puerto_Rico America/St_Barthelemy America/St_Kitts America/St_Lucia America/St_Thomas America/St_Vincent America/Tortola
AST-240,ADT-180: America/Barbados America/Glace_Bay America/Halifax America/Martinique America/Moncton America/Thule Atlantic/Bermuda
AST-240,ADT-180,ADDT-120: America/Goose_Bay
AWST+480,AWDT+540: Australia/Perth
BST-660,BDT-600,AKST-540,AKDT-480: America/Nome
BST-660,HST-600,HDT-540: America/Adak
CAT+120: Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Kigali Africa/Lubumbashi Africa/Lusaka Africa/Maputo
CAT+120,EAT+180: Africa/Juba Africa/Khartoum
CET+60,CEST+120: Africa/Tunis Arctic/Longyearbyen Europe/Amsterdam Europe/Andorra Europe/Belgrade Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Budapest Europe/Busingen Europe/Copenhagen Europe/Gibraltar Europe/Ljubljana Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Monaco Europe/Oslo Europe/Paris Europe/Podgorica Europe/Prague Europe/Rome Europe/San_Marino Europe/Sarajevo Europe/Skopje Europe/Stockholm Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna Europe/Warsaw Europe/Zagreb Europe/Zurich
CET+60,EET+120: Africa/Tripoli
CET+60,EET+120,EEST+180,MSD+240: Europe/Vilnius
CST+480,CDT+540: Asia/Macau Asia/Shanghai Asia/Taipei
CST-300,CDT-240: America/Havana
CST-360: America/Regina
CST-360,CDT-300: America/Belize America/Chicago America/Costa_Rica America/El_Salvador America/Guatemala America/Indiana/Knox America/Managua America/Matamoros America/Menominee America/Merida America/Mexico_City America/Monterrey America/Rankin_Inlet America/Resolute America/Tegucigalpa America/Winnipeg
CST-360,CDT-300,EDT-240: America/Indiana/Tell_City
CST-360,EST-300,EDT-240: America/Cancun America/Indiana/Petersburg America/Indiana/Vincennes America/Indiana/Winamac America/Iqaluit America/Kentucky/Monticello
ChST+600,GDT+660: Pacific/Guam Pacific/Saipan
EAT+180: Africa/Addis_Ababa Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Kampala Africa/Mogadishu Africa/Nairobi Indian/Antananarivo Indian/Comoro Indian/Mayotte
EET+120: Asia/Amman Asia/Damascus Europe/Istanbul
EET+120,EEST+180: Africa/Cairo Asia/Beirut Asia/Famagusta Asia/Gaza Asia/Hebron Asia/Nicosia Europe/Athens Europe/Bucharest Europe/Helsinki Europe/Mariehamn Europe/Sofia
EET+120,EEST+180,MSD+240: Europe/Chisinau Europe/Kiev Europe/Riga Europe/Tallinn
EET+120,MSD+240: Europe/Kaliningrad Europe/Minsk
EET+120,MSK+180,MSK+240: Europe/Moscow Europe/Simferopol
EST-300: America/Cayman America/Coral_Harbour America/Panama
EST-300,AST-240: America/Santo_Domingo
EST-300,EDT-240: America/Detroit America/Grand_Turk America/Indiana/Marengo America/Indiana/Vevay America/Indianapolis America/Jamaica America/Louisville America/Nassau America/New_York America/Port-au-Prince America/Toronto
GMT+0: Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry Africa/Dakar Africa/Freetown Africa/Lome Africa/Nouakchott Africa/Ouagadougou America/Danmarkshavn Atlantic/Reykjavik Atlantic/St_Helena
GMT+0,BST+60: Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London
GMT+0,IST+60: Europe/Dublin
GMT+0,WAT+60: Africa/Sao_Tome
HKT+480,HKST+540: Asia/Hong_Kong
HST-600: Pacific/Honolulu
IST+120,IDT+180: Asia/Jerusalem
IST+330: Asia/Calcutta
JST+540: Asia/Tokyo
KST+510,KST+540: Asia/Pyongyang
KST+540,KDT+600: Asia/Seoul
MMT-45,GMT+0: Africa/Monrovia
MSK+180: Europe/Volgograd
MSK+180,MSK+240: Europe/Kirov
MST-420: America/Creston America/Phoenix
MST-420,CST-360: America/Swift_Current
MST-420,CST-360,CDT-300: America/Bahia_Banderas America/Chihuahua America/North_Dakota/Beulah America/North_Dakota/Center America/North_Dakota/New_Salem America/Ojinaga
MST-420,MDT-360: America/Boise America/Denver America/Edmonton America/Hermosillo America/Mazatlan
MST-420,MDT-360,CDT-300: America/Ciudad_Juarez
MST-420,MDT-360,EST-300: America/Cambridge_Bay
NST-210,NDT-150,NDDT-90: America/St_Johns
NZST+720,NZDT+780: Antarctica/McMurdo Pacific/Auckland
PKT+300,PKST+360: Asia/Karachi
PST+480,PDT+540: Asia/Manila
PST-480,MST-420: America/Dawson_Creek America/Fort_Nelson America/Whitehorse
PST-480,MST-420,MDT-360: America/Inuvik
PST-480,PDT-420: America/Los_Angeles America/Tijuana America/Vancouver
SAST+120: Africa/Johannesburg Africa/Maseru Africa/Mbabane
SST-660: Pacific/Midway Pacific/Pago_Pago
WAT+60: Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos Africa/Libreville Africa/Luanda Africa/Malabo Africa/Niamey Africa/Porto-Novo
WAT+60,CAT+120: Africa/Windhoek
WAT+60,WAST+120: Africa/Ndjamena
WEST+60: Atlantic/Azores
WET+0,CET+60,CEST+120: Africa/Algiers Africa/Ceuta
WET+0,WEST+60: Atlantic/Canary Atlantic/Faeroe Atlantic/Madeira
WET+0,WEST+60,CEST+120: Europe/Lisbon
WIB+420: Asia/Jakarta
WIB+420,WITA+480: Asia/Pontianak
WIT+540: Asia/Jayapura
WITA+480: Asia/Makassar
YST-540,PST-480,MST-420: America/Dawson`;
