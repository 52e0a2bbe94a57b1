import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * The peer: R1's request converted by hand, without a program behind it. It reads the two counts, has an
 * EBCDIC record of the size asked for, and prints the record as JSON. Path: /SIZE/COUNT_IN.
 */
@WebServlet("/*")
public class BenchServlet extends HttpServlet {
  private static final Charset EBCDIC = Charset.forName("IBM037");
  private final JsonFactory json = new JsonFactory();
  private final byte[][] records = {record(31), record(127), record(255), record(511)};

  private static byte[] record(int elements) {
    ByteBuffer buffer = ByteBuffer.allocate(32 + 32 * elements);
    buffer.putInt(0).putInt(32 + 32 * elements).putInt(181);
    buffer.put("BBO#".getBytes(EBCDIC)).put(" ".repeat(16).getBytes(EBCDIC));
    for (int i = 1; i <= elements; i++) {
      buffer.put(String.format("%04d-ABCDEFGHIJKLMNOPQRSTUVWXYZ-", i).getBytes(EBCDIC));
    }
    return buffer.array();
  }

  @Override
  protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String[] path = request.getPathInfo().split("/");
    String size = path[1].toUpperCase();
    int countIn = Integer.parseInt(path[2]);
    int countOut = 32;
    try (JsonParser parser = json.createParser(request.getInputStream())) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT && "count_out".equals(parser.currentName())) {
          countOut = parser.getIntValue();
        }
      }
    }
    ByteBuffer area = ByteBuffer.allocate(records[index(countOut)].length);
    area.putInt(countIn).putInt(countOut);
    System.arraycopy(records[index(countOut)], 0, area.array(), 0, area.capacity());
    response.setContentType("application/json");
    write(area.array(), size, response);
  }

  private static int index(int countOut) {
    return countOut <= 32 ? 0 : countOut <= 128 ? 1 : countOut <= 256 ? 2 : 3;
  }

  private void write(byte[] record, String size, HttpServletResponse response) throws IOException {
    ByteBuffer view = ByteBuffer.wrap(record);
    try (JsonGenerator out = json.createGenerator(response.getOutputStream())) {
      out.writeStartObject();
      out.writeObjectFieldStart("COMM" + size + "OperationResponse");
      out.writeNumberField("recv_size", view.getInt(0));
      out.writeNumberField("send_size", view.getInt(4));
      out.writeNumberField("taskid", view.getInt(8));
      out.writeStringField("tranid", text(record, 12, 4));
      out.writeStringField("rs_spare", text(record, 16, 16));
      out.writeArrayFieldStart("user_data");
      for (int at = 32; at < record.length; at += 32) {
        out.writeStartObject();
        out.writeStringField("user_data", text(record, at, 32));
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
      out.writeEndObject();
    }
  }

  private static String text(byte[] record, int at, int length) {
    return new String(record, at, length, EBCDIC).stripTrailing();
  }
}
