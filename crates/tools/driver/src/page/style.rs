//! The style of a report: light, two columns on a screen, one on paper and telephones.

pub(super) const STYLE: &str = "*{box-sizing:border-box}\
body{font:15px/1.5 system-ui,'Segoe UI','DejaVu Sans',sans-serif;margin:0;color:#1d2733;background:#f3f5f8}\
main{max-width:1240px;margin:0 auto;padding:28px 24px 60px}\
h1{font-size:26px;line-height:1.2;margin:0 0 4px}h2{font-size:17px;margin:30px 0 10px}\
.verdict{font-size:18px;line-height:1.4;margin:0 0 18px;padding:14px 18px;border-radius:8px;border-left:6px solid}\
.good{background:#e7f4ea;border-color:#2e7d3c}.bad{background:#fdeaea;border-color:#c62828;color:#8e1b1b;font-weight:600}\
.failed{background:#fff;border:2px solid #c62828;border-radius:8px;padding:4px 18px 14px;margin-bottom:18px;overflow:auto}\
.failed h2,.failed h3{color:#c62828;margin:12px 0 6px}.failed h3{font-size:14px}\
.failed .screens{display:grid;grid-template-columns:1fr 1fr;gap:6px 18px}.failed .screens p{margin:6px 0;overflow-wrap:anywhere}.head{color:#5a6675;margin:0 0 8px}\
.failed pre{margin:0;background:#14181d;color:#9fe0a5;padding:10px;display:inline-block;font:12px/1.25 'DejaVu Sans Mono',monospace}\
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(165px,1fr));gap:12px;margin-bottom:16px}\
.tiles div{background:#fff;border-radius:8px;padding:12px 16px;box-shadow:0 1px 2px #0002}\
.tiles span{display:block;color:#5a6675;font-size:13px}.tiles b{display:block;font-size:25px;line-height:1.3}\
.tiles small{color:#5a6675;font-size:12px}\
.plots{display:grid;grid-template-columns:1fr 1fr;gap:14px}\
figure{background:#fff;border-radius:8px;padding:10px 12px;margin:0;box-shadow:0 1px 2px #0002}svg{width:100%;display:block}\
.title{font-weight:600;font-size:14px;fill:#1d2733}.tick{font-size:11px;fill:#5a6675}.name{font-size:12px;font-weight:600}\
.grid{stroke:#e2e6eb}\
.wide{overflow-x:auto;background:#fff;border-radius:8px;box-shadow:0 1px 2px #0002;padding:4px 8px}\
table{border-collapse:collapse;font-size:13px;width:100%;background:#fff;font-variant-numeric:tabular-nums}\
table.narrow{width:auto;min-width:420px}td,th{border-bottom:1px solid #e2e6eb;padding:5px 9px;text-align:right;white-space:nowrap}\
th{color:#5a6675;font-weight:600}td:first-child,th:first-child{text-align:left}.red{color:#c62828;font-weight:700}\
dl{display:grid;grid-template-columns:1fr 1fr;gap:0 28px;margin:0}\
dl div{display:flex;border-bottom:1px solid #e2e6eb;padding:4px 0}dt{flex:0 0 150px;color:#5a6675}dd{margin:0;overflow-wrap:anywhere}\
code{display:block;background:#e8ecf1;border-radius:6px;padding:9px 12px;font:12px/1.5 'DejaVu Sans Mono',monospace;overflow-wrap:anywhere}\
.note{color:#5a6675;font-size:13px;max-width:85ch}\
@media(max-width:860px){.plots,dl,.failed .screens{grid-template-columns:1fr}}\
@media print{body{background:#fff}.tiles div,figure{box-shadow:none;border:1px solid #ddd;break-inside:avoid}}";
